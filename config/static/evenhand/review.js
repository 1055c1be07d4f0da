// The walk through disagreements by keys. They are off while somebody types.
(() => {
  "use strict";

  const form = document.getElementById("decide");
  const typing = (target) => target.closest("textarea, select, input:not([type=radio])");
  const follow = (id) => document.getElementById(id)?.click();

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.ctrlKey && form) {
      event.preventDefault();
      form.requestSubmit();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && typing(event.target)) event.target.blur();
    if (typing(event.target)) return;
    const choice = form?.querySelector(`#finding-${CSS.escape(event.key)}`);
    const acts = {
      j: () => follow("after"),
      k: () => follow("before"),
      n: () => document.getElementById("note")?.focus(),
    };
    const act = choice ? () => choice.click() : acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
})();
