/* What is wider than the window can be reached and moved with the keyboard; folds have a name. */
"use strict";

function reachable() {
  for (const part of document.querySelectorAll(".bd-article .formula, .bd-article table.table")) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}

function named() {
  for (const fold of document.querySelectorAll("summary")) {
    if (fold.textContent.trim()) continue;
    const link = fold.closest("li")?.querySelector("a");
    fold.setAttribute("aria-label", `pages below ${link ? link.textContent.trim() : "this one"}`);
  }
}

document.addEventListener("DOMContentLoaded", () => {
  reachable();
  named();
  window.addEventListener("resize", reachable);
});
window.addEventListener("load", reachable);
