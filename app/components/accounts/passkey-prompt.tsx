import { useMatches } from "@remix-run/react";
import { useState } from "react";
import { PASSKEY_ADD, PASSKEY_USE } from "~/domain/accounts/factors/passkey-intents";
import { newPasskeyValidator } from "~/domain/accounts/factors/validators";
import { CsrfField } from "../forms/csrf-field";
import { PortalForm } from "../forms/form";
import { TextField } from "../forms/text-field";
import { SubmitButton } from "../ui/buttons";
import { useHasScripts } from "../ui/has-scripts";
import { Note } from "../ui/note";
import { askAuthenticator, type Ceremony, ceremonyProblem } from "./passkey-ceremony";

/** Returns whether passkeys can be used: the page's scripts run, and the browser has WebAuthn, which needs HTTPS or this computer. */
const useHasPasskeys = () => useHasScripts() && "PublicKeyCredential" in window;

/** Calls the authenticator for a form of the page and then sends the form with its answer. */
function useCeremony(ceremony: Ceremony) {
  const route = useMatches().at(-1)?.id ?? "";
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const run = async (form: HTMLFormElement) => {
    setBusy(true);
    setProblem("");
    try {
      const answer = await askAuthenticator(form, route, ceremony);
      const field = form.elements.namedItem("answer");
      if (answer === null || !(field instanceof HTMLInputElement)) return;
      field.value = answer;
      form.submit(); // as a document: nothing on the page can interrupt it
    } catch (error) {
      setProblem(ceremonyProblem(error, ceremony));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, run };
}

/** What went wrong on the device or on the way to it. The errors of the server are above the heading of the page. */
const Problem = ({ text }: { text: string }) => <div role="alert">{text && <Note tone="bad">{text}</Note>}</div>;

interface ButtonProps {
  /** Further fields that the form sends. */
  fields?: Readonly<Record<string, string>>;
  children: string;
}

/**
 * A button that proves with a passkey who is at the browser. The page's action answers its intents `passkey-options` and `passkey`. Where
 * passkeys cannot be used, it says so.
 */
export function PasskeyButton({ fields = {}, children }: ButtonProps) {
  const { isBusy, problem, run } = useCeremony("use");
  if (!useHasPasskeys())
    return (
      <p className="hint">
        Your passkey cannot be used here: it needs scripts and a connection with HTTPS. Use a code.
      </p>
    );
  return (
    <form
      method="post"
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void run(event.currentTarget);
      }}
    >
      <CsrfField />
      <input type="hidden" name="intent" value={PASSKEY_USE} />
      <input type="hidden" name="answer" />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Problem text={problem} />
      <div className="row">
        <button type="submit" className="btn primary" aria-disabled={isBusy || undefined}>
          {isBusy ? "Waiting for the passkey…" : children}
        </button>
      </div>
    </form>
  );
}

/**
 * The form that adds a passkey under a name. The page's action answers its intents `passkey-options` and `passkey-add`. Where passkeys
 * cannot be used, it says so.
 */
export function PasskeyAdd({ formId }: { formId: string }) {
  const { problem, run } = useCeremony("add");
  if (!useHasPasskeys())
    return <p className="hint">This browser cannot add passkeys: it needs scripts and a connection with HTTPS.</p>;
  return (
    <PortalForm
      id={formId}
      validator={newPasskeyValidator}
      defaultValues={{ name: "Passkey" }}
      onSubmit={(_data, event) => {
        event.preventDefault();
        return run(event.target as HTMLFormElement);
      }}
    >
      <input type="hidden" name="intent" value={PASSKEY_ADD} />
      <input type="hidden" name="answer" />
      <TextField
        name="name"
        label="Name"
        hint="How you recognise it, such as the name of the device or key."
        maxLength={60}
        autoComplete="off"
      />
      <Problem text={problem} />
      <SubmitButton busyText="Waiting for the passkey…">Add a passkey</SubmitButton>
    </PortalForm>
  );
}
