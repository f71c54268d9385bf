/**
 * Passkeys: forms with `data-passkey` show themselves where the browser can do it, talk to the authenticator when
 * their button is pressed, and send what it says.
 *
 * `make` creates a passkey, `use` shows one of those the page names, `ask` fetches a challenge first and takes any.
 *
 * @module
 */

const WORDS = {
  NotAllowedError: "This was cancelled, or took too long.",
  InvalidStateError: "This device has a passkey for the account already.",
  SecurityError: "Passkeys need the site's own name and https; by a number, such as 127.0.0.1, they do not work.",
};

/** @typedef {{publicKey: any}} Options as the server writes them: bytes in base64url */

/** @type {Record<string, (form: HTMLFormElement) => Promise<Credential | null>>} */
const WAYS = {
  make: async () => navigator.credentials.create(asCreation(pageData().creation_options)),
  use: async () => navigator.credentials.get(asRequest(pageData().request_options)),
  ask: async (form) => navigator.credentials.get(asRequest(await fetchOptions(form.action))),
};

/** @param {HTMLFormElement} form */
function equip(form) {
  form.hidden = false;
  form.querySelector("button")?.addEventListener("click", () => void go(form));
  form.addEventListener("submit", (event) => {
    if (input(form).value) return;
    event.preventDefault();
    void go(form);
  });
}

/** @param {HTMLFormElement} form */
async function go(form) {
  say(form, "");
  try {
    const credential = await WAYS[form.dataset.passkey ?? "use"]?.(form);
    if (!credential) return;
    input(form).value = JSON.stringify(asJSON(/** @type {PublicKeyCredential} */ (credential)));
    form.submit();
  } catch (error) {
    say(form, wordsFor(/** @type {Error} */ (error)));
  }
}

/** @param {Error} error @returns {string} */
function wordsFor(error) {
  return /** @type {Record<string, string>} */ (WORDS)[error.name] ?? `That did not work: ${error.message}`;
}

/** @param {HTMLFormElement} form @param {string} text */
function say(form, text) {
  const place = form.querySelector("[role=alert]");
  if (place) place.textContent = text;
}

/** @param {HTMLFormElement} form */
function input(form) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem("credential"));
}

/** @returns {Record<string, Options>} */
function pageData() {
  return JSON.parse(document.getElementById("passkey-data")?.textContent ?? "{}");
}

/** @param {string} url @returns {Promise<Options>} */
async function fetchOptions(url) {
  const response = await fetch(url, { headers: { Accept: "application/json" }, cache: "no-store" });
  if (!response.ok) throw new Error("the server does not answer as it should.");
  return (await response.json()).request_options;
}

/** A passkey is found without a name being typed, and asks for a finger, a face or a PIN. @param {Options} options */
function asCreation({ publicKey }) {
  const selection = { residentKey: "required", requireResidentKey: true, userVerification: "required" };
  return {
    publicKey: {
      ...publicKey,
      challenge: bytesOf(publicKey.challenge),
      user: { ...publicKey.user, id: bytesOf(publicKey.user.id) },
      excludeCredentials: (publicKey.excludeCredentials ?? []).map(asDescriptor),
      authenticatorSelection: { ...publicKey.authenticatorSelection, ...selection },
    },
  };
}

/** @param {Options} options */
function asRequest({ publicKey }) {
  return {
    publicKey: {
      ...publicKey,
      challenge: bytesOf(publicKey.challenge),
      allowCredentials: (publicKey.allowCredentials ?? []).map(asDescriptor),
    },
  };
}

/** @param {{id: string}} credential */
function asDescriptor(credential) {
  return { ...credential, id: bytesOf(credential.id), type: /** @type {const} */ ("public-key") };
}

/** @param {PublicKeyCredential} credential */
function asJSON(credential) {
  return {
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: responseAsJSON(credential.response),
  };
}

/** @param {AuthenticatorResponse} response */
function responseAsJSON(response) {
  const clientDataJSON = textOf(response.clientDataJSON);
  if (response instanceof AuthenticatorAttestationResponse) {
    return { clientDataJSON, attestationObject: textOf(response.attestationObject), transports: response.getTransports() };
  }
  const { authenticatorData, signature, userHandle } = /** @type {AuthenticatorAssertionResponse} */ (response);
  return {
    clientDataJSON,
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
    userHandle: userHandle && textOf(userHandle),
  };
}

/** @param {string} base64url */
function bytesOf(base64url) {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

/** @param {ArrayBuffer} buffer */
function textOf(buffer) {
  const text = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

if ("PublicKeyCredential" in globalThis) {
  document.querySelectorAll("form[data-passkey]").forEach((form) => equip(/** @type {HTMLFormElement} */ (form)));
}
