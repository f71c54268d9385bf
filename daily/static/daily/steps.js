// Turns a list of unfoldable positions into one picture with buttons. Without this script the list is the page.

/** @param {HTMLElement} root */
function makeSteppable(root) {
  const items = [...root.querySelectorAll("li")];
  const cleared = items.map((item) => /** @type {HTMLElement} */ (item.querySelector(".cleared")));
  const pictures = items.map((item) => /** @type {SVGElement} */ (item.querySelector(".picture")));
  const list = /** @type {HTMLElement} */ (root.querySelector("ol"));
  const stage = document.createElement("div");
  const slider = document.createElement("input");
  const said = document.createElement("output");
  let current = 0;

  /** @param {number} step */
  function show(step) {
    items[current].removeAttribute("aria-current");
    current = Math.min(Math.max(step, 0), items.length - 1);
    items[current].setAttribute("aria-current", "step");
    stage.querySelector(".picture")?.replaceWith(pictures[current]);
    slider.value = String(current);
    said.textContent = `${current + 1} of ${items.length} · ${cleared[current].textContent}`;
    list.scrollTop = items[current].offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  /** @param {string} text @param {string} name @param {() => number} target */
  function button(text, name, target) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "button";
    made.textContent = text;
    made.setAttribute("aria-label", name);
    made.addEventListener("click", () => show(target()));
    return made;
  }

  slider.type = "range";
  slider.min = "0";
  slider.max = String(items.length - 1);
  slider.setAttribute("aria-label", "Move");
  slider.addEventListener("input", () => show(Number(slider.value)));

  const buttons = document.createElement("div");
  buttons.className = "buttons";
  buttons.append(
    button("|◀", "First move", () => 0),
    button("◀", "Previous move", () => current - 1),
    button("▶", "Next move", () => current + 1),
    button("▶|", "End", () => items.length - 1),
    slider,
    said,
  );
  stage.className = "stage";
  stage.tabIndex = 0;
  stage.append(buttons, pictures[0]);
  stage.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by && event.target !== slider) show(current + by);
  });

  items.forEach((item, step) => {
    cleared[step].remove();
    item.textContent = item.querySelector("summary")?.textContent ?? "";
    item.addEventListener("click", () => show(step));
  });
  list.className = "moves";
  root.prepend(stage);
  root.classList.add("is-stepping");
  show(0);
}

document.querySelectorAll(".steps").forEach((root) => makeSteppable(/** @type {HTMLElement} */ (root)));
