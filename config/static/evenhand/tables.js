// A table that is wider than the screen scrolls in its box, and the keyboard must get
// there; a box that does not scroll is no stop on the way.
(() => {
  "use strict";

  const tell = (box) => {
    if (box.scrollWidth <= box.clientWidth) {
      box.removeAttribute("tabindex");
      return;
    }
    box.tabIndex = 0;
    if (box.hasAttribute("role")) return;
    const caption = box.querySelector("caption");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", caption ? caption.textContent.trim() : "Table");
  };
  const watch = new ResizeObserver((seen) => {
    for (const one of seen) tell(one.target.closest(".table-box"));
  });
  for (const box of document.querySelectorAll(".table-box")) {
    watch.observe(box);
    for (const table of box.querySelectorAll("table")) watch.observe(table);
  }
})();
