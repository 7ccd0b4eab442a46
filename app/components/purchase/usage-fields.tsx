import { type UsageFlag } from "~/domain/certificates/purchase/fields";
import { CheckboxField } from "../forms/checkbox-field";
import { FieldGroup } from "../forms/field-group";
import { WhenTicked } from "../ui/conditional";
import { ORDER_HELP } from "./order-help-texts";

/** The labels of the usage attributes, in the order of the page. */
const USAGE_LABELS: Record<UsageFlag, string> = {
  hasSecureSession: "Secure session",
  hasEmail: "E-mail",
  hasEncryption: "Encryption",
  hasFileSigning: "File signing",
};

/** The chosen usage attributes in words. */
export const UsageText = ({ usage }: { usage: readonly UsageFlag[] }) => (
  <>{usage.map((flag) => USAGE_LABELS[flag]).join(", ")}</>
);

/** The usage attributes, folded away. All are chosen by default. */
export function UsageFields() {
  return (
    <div>
      <CheckboxField name="showUsageAttributes" label="Show Usage Attributes" toggle />
      <WhenTicked>
        <FieldGroup legend="Certificate usage" errorName="usage">
          {(Object.keys(USAGE_LABELS) as UsageFlag[]).map((flag) => (
            <CheckboxField key={flag} name={flag} label={USAGE_LABELS[flag]} hint={ORDER_HELP[flag]} />
          ))}
        </FieldGroup>
      </WhenTicked>
    </div>
  );
}
