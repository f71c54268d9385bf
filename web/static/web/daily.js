/**
 * The page where the day is played: the start, which cannot be taken back, and going on with what was started.
 *
 * @module
 */

import { call, NetworkError, Problem, untilAnswered } from "./api.js";
import { find, hide, show } from "./notices.js";
import { Sitting } from "./sitting.js";

/** What the server says about the page: see `web.views.play`. @type {Record<string, any>} */
const daily = JSON.parse(find("daily").textContent ?? "");
const start = /** @type {HTMLButtonElement} */ (find("start"));

hide("no-script");
start.hidden = false;
start.addEventListener("click", () => void begin(startOnce));
if (daily.state === "playing") void begin(resume);

/** @param {() => Promise<any>} open gives the attempt */
async function begin(open) {
  start.disabled = true;
  hide("not-started");
  try {
    sitDown(await open());
  } catch (error) {
    show("not-started", { why: whyNot(error) });
  } finally {
    start.disabled = false;
  }
}

/** Not tried again by itself: nobody's clock shall start while they are away. */
async function startOnce() {
  if (!daily.isSignedIn) await becomeGuest();
  return call("POST", daily.attempts);
}

async function becomeGuest() {
  await call("POST", daily.guests);
  daily.isSignedIn = true;
  const entrance = /** @type {HTMLAnchorElement} */ (document.querySelector(".account-nav a"));
  entrance.href = daily.account;
  entrance.textContent = "Guest";
}

/** The clock runs already, so every try is welcome. */
function resume() {
  const onWait = (/** @type {Error} */ error) => show("not-started", { why: `${error.message} Still trying …` });
  return untilAnswered(() => call("POST", daily.attempts), { onWait });
}

/** @param {any} attempt */
function sitDown(attempt) {
  find("before").hidden = true;
  find("game").hidden = false;
  document.body.classList.add("playing");
  hide("not-started");
  new Sitting(attempt, daily.rules).begin();
  if (!document.activeElement?.closest("#game")) goToCards();
}

/** What was pressed is gone: keys and screen readers go on with the cards. */
function goToCards() {
  const card = /** @type {HTMLElement | null} */ (document.querySelector('.cards [tabindex="0"]'));
  card?.focus({ preventScroll: true });
}

/** @param {unknown} error */
function whyNot(error) {
  if (error instanceof NetworkError) {
    return "The server cannot be reached. Should the start have arrived all the same, your clock runs: try again soon.";
  }
  if (!(error instanceof Problem)) throw error;
  // The page has set one that scripts can read.
  if (!document.cookie) return "Playing needs cookies, and this browser keeps none of this site. Allow them and load the page again.";
  if (error.code === "not_open") return "This day has ended meanwhile. Load the page again for the new deal.";
  if (error.isAboutSession) return "You are not signed in any more. Load the page again.";
  return error.detail;
}
