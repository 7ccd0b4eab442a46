import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { PASSKEY_OPTIONS } from "~/domain/accounts/factors/passkey-intents";

export type Ceremony = "add" | "use";

/** A problem that is shown to the user as it is. */
class Problem extends Error {}

/** What the server answers: the options, the errors of a form, or the refusal of a page. */
interface Answer {
  options?: object;
  fieldErrors?: Record<string, string>;
  message?: string;
}

const NOT_POSSIBLE = "The passkey could not be used. Please try again, or use another factor.";

const problemIn = ({ fieldErrors = {}, message }: Answer) =>
  new Problem(Object.values(fieldErrors)[0] ?? message ?? NOT_POSSIBLE);

const UNREACHABLE = "The portal cannot be reached. Please check the connection and try again.";

/**
 * Asks the action of the form's page for the options of an authenticator. Returns null when the browser leaves the page, because the server
 * redirects. The request is not one of Remix: its answer must not load the data of the page again while the authenticator is used.
 *
 * @param route The id of the route.
 */
async function fetchOptions(form: HTMLFormElement, route: string): Promise<object | null> {
  const address = new URL(window.location.href);
  address.hash = "";
  address.searchParams.set("_data", route);
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.set(name, value);
  fields.set("intent", PASSKEY_OPTIONS);
  const response = await fetch(address, { method: "POST", body: fields }).catch(() => {
    throw new Problem(UNREACHABLE);
  });
  const redirect = response.headers.get("X-Remix-Redirect");
  if (redirect !== null) {
    window.location.assign(redirect);
    return null;
  }
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (!answer.options) throw problemIn(answer);
  return answer.options;
}

/** What the errors of browsers mean (WebAuthn Level 3 §5.1). A cancelled question and a missing passkey look the same. */
const MEANINGS: Readonly<Record<Ceremony, Readonly<Record<string, string>>>> = {
  add: {
    NotAllowedError: "No passkey was added: the question of the browser was cancelled, or nobody answered it in time.",
    InvalidStateError: "This device has a passkey for your account already.",
    NotSupportedError: "This device cannot make a passkey that the portal accepts.",
    ConstraintError: "This device cannot make a passkey that the portal accepts.",
  },
  use: {
    NotAllowedError:
      "No passkey was used: the question of the browser was cancelled, nobody answered it in time, or this device has no passkey of your account.",
  },
};

const WRONG_ADDRESS = "Passkeys do not work at this address of the portal. Please use another factor.";

/** Returns what went wrong in words for the user. */
export function ceremonyProblem(error: unknown, ceremony: Ceremony): string {
  if (error instanceof Problem) return error.message;
  const name = error instanceof Error ? error.name : "";
  if (name === "AbortError") return MEANINGS[ceremony].NotAllowedError ?? NOT_POSSIBLE;
  return MEANINGS[ceremony][name] ?? (name === "SecurityError" ? WRONG_ADDRESS : NOT_POSSIBLE);
}

/**
 * Calls the authenticator for a form of the page. Returns its answer as JSON, or null when the browser leaves the page. The library is
 * loaded only now, because most visitors of the page do not need it.
 */
export async function askAuthenticator(
  form: HTMLFormElement,
  route: string,
  ceremony: Ceremony,
): Promise<string | null> {
  const loading = import("@simplewebauthn/browser");
  loading.catch(() => undefined);
  const options = await fetchOptions(form, route);
  if (options === null) return null;
  const { startAuthentication, startRegistration } = await loading.catch(() => {
    throw new Problem(UNREACHABLE);
  });
  const answer =
    ceremony === "add"
      ? await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
      : await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
  return JSON.stringify(answer);
}
