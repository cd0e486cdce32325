// A group of controls as one stop of the Tab key: arrow keys move within it.
"use strict";
function roving(group, controls) {
  const choose = (chosen) => controls().forEach((control) => { control.tabIndex = control === chosen ? 0 : -1; });
  choose(controls()[0]);
  group.addEventListener("focusin", ({target}) => { if (controls().includes(target)) choose(target); });
  group.addEventListener("keydown", (event) => {
    const list = controls(), step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    const next = step && list[list.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  });
}
