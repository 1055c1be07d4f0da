// The parts of a report: a link to one opens it, one button opens or folds all of them,
// and on paper all are open. Without this file every part still opens by itself.
(() => {
  "use strict";

  const parts = [...document.querySelectorAll("details.part")];
  const button = document.getElementById("unfold");
  if (!parts.length || !button) return;

  const reveal = () => {
    const name = decodeURIComponent(window.location.hash.slice(1));
    const target = name && document.getElementById(name);
    const part = target && target.closest("details.part");
    if (!part || part.open) return;
    part.open = true;
    target.scrollIntoView();
  };
  const tell = () => {
    const folded = parts.some((one) => !one.open);
    button.textContent = folded ? "Open all parts" : "Fold all parts";
  };

  button.hidden = false;
  button.addEventListener("click", () => {
    const open = parts.some((one) => !one.open);
    for (const one of parts) one.open = open;
  });
  for (const one of parts) one.addEventListener("toggle", tell);

  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = parts.filter((one) => !one.open);
    for (const one of folded) one.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const one of folded) one.open = false;
    folded = [];
  });

  window.addEventListener("hashchange", reveal);
  tell();
  reveal();
})();
