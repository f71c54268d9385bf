/**
 * Countries by their names instead of their codes, sorted, in the browser's own words.
 *
 * @module
 */

const NAMES = new Intl.DisplayNames(["en"], { type: "region" });

/** @param {HTMLSelectElement} select */
function name(select) {
  const [none, ...countries] = select.options;
  for (const option of countries) option.text = NAMES.of(option.value) ?? option.value;
  countries.sort((one, other) => one.text.localeCompare(other.text, "en"));
  const chosen = select.value;
  select.replaceChildren(...(none ? [none] : []), ...countries);
  select.value = chosen;
}

for (const select of document.querySelectorAll("select[name=country]")) {
  name(/** @type {HTMLSelectElement} */ (select));
}
