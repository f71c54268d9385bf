// Buttons that copy what a field holds; without a clipboard they stay hidden and the field can be copied by hand.

const said = document.getElementById("copied");

for (const button of document.querySelectorAll("button[data-copies]")) {
  if (navigator.clipboard && button instanceof HTMLButtonElement) offer(button);
}

/** @param {HTMLButtonElement} button */
function offer(button) {
  const field = document.getElementById(button.dataset.copies ?? "");
  if (!(field instanceof HTMLInputElement)) return;
  button.hidden = false;
  button.addEventListener("click", () => copy(field));
}

/** @param {HTMLInputElement} field */
async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    say("Copied.");
  } catch {
    field.select();
    say("The browser does not let this page copy: the link is selected, copy it by hand.");
  }
}

/** @param {string} text */
function say(text) {
  if (said) said.textContent = text;
}
