// What the charts of static and dynamic runs share, and the lines of limits in them.
"use strict";
function makeCharts({element, style}) {
  const net_colours = ["#8e3aa8", "#e8743b", "#2f7fd1", "#35a06a", "#c9a227", "#c2416b"];
  // Colours that do not repeat: beyond these, hues turn by the golden angle, in three shades.
  const net_colour = (index) => net_colours[index] ??
    `hsl(${((index * 137.508) % 360).toFixed(1)} 65% ${[42, 56, 34][index % 3]}%)`;
  const dashes = [[], [7, 3], [2, 2], [9, 3, 2, 3], [4, 4], [12, 4]];  // so that curves differ by more than colour
  const dash = (index) => dashes[(index + Math.floor(index / dashes.length)) % dashes.length];

  const short = (name) => (name.length > 24 ? name.slice(0, 23) + "…" : name);
  const axis = (text) => ({title: {display: true, text}});

  function prepare_charts() {
    Chart.defaults.color = style("--muted");
    Chart.defaults.borderColor = style("--line");
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.animation = false;
    Chart.defaults.maintainAspectRatio = false;
  }

  /// Limits of one value and text stand together, with the names of their nets where they are not those of all.
  function joined(limits) {
    const groups = new Map();
    for (const limit of limits) {
      const key = `${limit.value} ${limit.text}`, group = groups.get(key) ?? {...limit, nets: []};
      if (limit.net && !group.nets.includes(limit.net)) group.nets.push(limit.net);
      groups.set(key, group);
    }
    return [...groups.values()]
      .map((group) => ({...group, full: [group.nets.join(", "), group.text].filter((part) => part).join(" ")}))
      .sort((a, b) => a.value - b.value);
  }

  /// A plugin that draws limits, {value, text, net}, across the axis "x" or "y"; those beyond its ends are told there.
  const limit_lines = (limits, axis_name) => ({
    id: "limits",
    afterDatasetsDraw(chart) {
      const {ctx, chartArea: area} = chart, scale = chart.scales[axis_name], is_x = axis_name === "x";
      ctx.save();
      ctx.strokeStyle = ctx.fillStyle = style("--bad");
      ctx.lineWidth = 1.5;
      ctx.font = `600 11px ${Chart.defaults.font.family}`;
      const at_of = (value) => scale.getPixelForValue(Math.min(scale.max, Math.max(scale.min, value)));
      ctx.setLineDash([6, 4]);
      for (const {value} of joined(limits)) {
        if (value < scale.min || value > scale.max) continue;
        const at = at_of(value);
        ctx.beginPath();
        ctx.moveTo(is_x ? at : area.left, is_x ? area.top : at);
        ctx.lineTo(is_x ? at : area.right, is_x ? area.bottom : at);
        ctx.stroke();
      }
      for (const [k, {value, text: short_text, full}] of joined(limits).entries()) {
        const text = ctx.measureText(full).width < 0.6 * (area.right - area.left) ? full : short_text;
        const is_above = value > scale.max, is_below = value < scale.min, at = at_of(value);
        const words = is_above ? (is_x ? text + " →" : "↑ " + text)
          : is_below ? (is_x ? "← " + text : "↓ " + text) : text;
        const width = ctx.measureText(words).width;
        const beside = at + 5 + width > area.right ? at - 5 - width : at + 5;
        const x = is_x ? Math.max(area.left + 3, Math.min(area.right - 3 - width, beside)) : area.right - 5 - width;
        const y = is_x ? area.top + 12 + 14 * (k % 6) : at - 5 < area.top + 10 ? at + 13 : at - 5;
        ctx.globalAlpha = 0.85;
        ctx.fillStyle = style("--card");
        ctx.fillRect(x - 2, y - 10, width + 4, 13);
        ctx.globalAlpha = 1;
        ctx.fillStyle = style("--bad");
        ctx.fillText(words, x, y);
      }
      ctx.restore();
    },
  });

  /// The ends of an axis that shows these limits besides what lies between low and high, unless that would shrink to
  /// less
  /// than two fifths of it.
  function with_limits(low, high, limits) {
    const near = limits.map((limit) => limit.value)
      .filter((value) => value - low < 2.5 * (high - low) && high - value < 2.5 * (high - low));
    return near.length ? {suggestedMin: Math.min(low, ...near), suggestedMax: Math.max(high, ...near)} : {};
  }
  const limits_text = (limits) => joined(limits).map(({full}) => full).join("; ");

  return {net_colour, dash, short, axis, prepare_charts, limit_lines, with_limits, limits_text};
}
