import { factorCodeValidator } from "~/domain/accounts/factors/validators";
import { PasskeyButton } from "../accounts/passkey-prompt";
import { PortalForm } from "../forms/form";
import { TextField } from "../forms/text-field";
import { SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";

/** The labels of the form, for its error summary. */
export const CONFIRMATION_LABELS = { code: "Code" };

interface Props {
  formId: string;
  /** The factors of the user that the signer accepts. */
  kinds: readonly ("passkey" | "app")[];
  /** What is confirmed, such as "these 3 certificates". */
  what: string;
  /** The fields that say what is confirmed. */
  fields?: Readonly<Record<string, string>>;
}

/** The two ways in which a person confirms something to the signer. */
export const SignerConfirmation = ({ formId, kinds, what, fields = {} }: Props) => (
  <div className="pairs">
    {kinds.includes("passkey") && (
      <Card title="Passkey">
        <p>Your confirmation counts for {what} and nothing else.</p>
        <PasskeyButton fields={fields}>Confirm with a passkey</PasskeyButton>
      </Card>
    )}
    {kinds.includes("app") && (
      <Card title="Authenticator app">
        <PortalForm id={formId} validator={factorCodeValidator}>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <TextField
            name="code"
            label={CONFIRMATION_LABELS.code}
            hint="The six digits that your app shows now for the signer. They are others than those for the login."
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={40}
            mono
          />
          <SubmitButton>Confirm with the code</SubmitButton>
        </PortalForm>
      </Card>
    )}
  </div>
);
