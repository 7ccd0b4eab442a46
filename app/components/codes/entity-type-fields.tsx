import { useContext } from "react";
import { entityTypeLabel, type EntityType } from "~/domain/codes/entity-types";
import { FieldGroup } from "../forms/field-group";
import { fieldId, FormIdContext, NO_FORM } from "../forms/form-id";
import { usePortalField } from "../forms/portal-field";
import { TextField } from "../forms/text-field";
import { WhenTicked } from "../ui/conditional";

const NAME = "entityTypes";

function Tick({ type }: { type: EntityType }) {
  const { getInputProps } = usePortalField(NAME);
  const id = fieldId(useContext(FormIdContext) ?? NO_FORM, `${NAME}-${type}`);
  return (
    <div className="check">
      <input {...getInputProps<React.ComponentPropsWithoutRef<"input">>({ type: "checkbox", value: type })} id={id} />
      <label htmlFor={id}>{entityTypeLabel(type)}</label>
    </div>
  );
}

/** The entity's types. Ticking 'Other' shows a field for the description (COD-03). */
export function EntityTypeFields({ offered, disabled }: { offered: readonly EntityType[]; disabled: boolean }) {
  return (
    <FieldGroup legend="Entity types" errorName={NAME} disabled={disabled}>
      <div className="checklist">
        {offered
          .filter((type) => type !== "Other")
          .map((type) => (
            <Tick key={type} type={type} />
          ))}
      </div>
      <div className="ticks">
        <Tick type="Other" />
      </div>
      <WhenTicked>
        <TextField name="otherText" label="Other entity type" maxLength={70} />
      </WhenTicked>
    </FieldGroup>
  );
}
