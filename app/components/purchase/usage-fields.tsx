import { CheckboxField } from "~/components/checkbox-field";
import { WhenTicked } from "~/components/conditional";
import { FieldGroup } from "~/components/field-group";
import { type UsageFlag } from "~/domain/certificates/purchase.fields";

/** Captions and help of the usage attributes, in the order of the page. */
export const USAGE_LABELS: Record<UsageFlag, { label: string; hint: string }> = {
  hasSecureSession: { label: "Secure session", hint: "Client and server authentication with TLS, as OFTP2 uses it." },
  hasEmail: { label: "E-mail", hint: "Signed and encrypted e-mail (S/MIME)." },
  hasEncryption: { label: "Encryption", hint: "Encryption of files for you." },
  hasFileSigning: { label: "File signing", hint: "Signatures on files and on receipts." },
};

/** Chosen usage attributes in words. */
export const UsageText = ({ usage }: { usage: readonly UsageFlag[] }) => (
  <>{usage.map((flag) => USAGE_LABELS[flag].label).join(", ")}</>
);

/** The usage attributes, folded away: all are chosen unless somebody looks. */
export function UsageFields() {
  return (
    <div>
      <CheckboxField name="showUsageAttributes" label="Show Usage Attributes" toggle />
      <WhenTicked>
        <FieldGroup legend="Certificate usage" errorName="usage">
          {Object.entries(USAGE_LABELS).map(([name, { label, hint }]) => (
            <CheckboxField key={name} name={name} label={label} hint={hint} />
          ))}
        </FieldGroup>
      </WhenTicked>
    </div>
  );
}
