import { USAGE_FLAGS, USAGE_LABELS, type UsageFlag } from "~/domain/certificates/purchase/fields";
import { CheckboxField } from "../forms/checkbox-field";
import { FieldGroup } from "../forms/field-group";
import { WhenTicked } from "../ui/conditional";
import { ORDER_HELP } from "./order-help-texts";

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
          {USAGE_FLAGS.map((flag) => (
            <CheckboxField key={flag} name={flag} label={USAGE_LABELS[flag]} hint={ORDER_HELP[flag]} />
          ))}
        </FieldGroup>
      </WhenTicked>
    </div>
  );
}
