import { useContext } from "react";
import { type ClientKind, SCOPES, type Scope, scopesFor } from "~/domain/api-clients/scopes.policy";
import { DateField } from "../forms/date-fields";
import { FieldGroup } from "../forms/field-group";
import { fieldId, FormIdContext, NO_FORM } from "../forms/form-id";
import { usePortalField } from "../forms/portal-field";
import { TextField } from "../forms/text-field";
import { TextareaField } from "../forms/textarea-field";

export const CLIENT_LABELS = {
  name: "Name",
  scopes: "Scopes",
  networks: "Allowed networks",
  lastDay: "Last day of use",
} as const;

function ScopeTick({ scope }: { scope: Scope }) {
  const { getInputProps } = usePortalField("scopes");
  const id = fieldId(useContext(FormIdContext) ?? NO_FORM, `scopes-${scope}`);
  return (
    <div className="check">
      <input {...getInputProps<React.ComponentPropsWithoutRef<"input">>({ type: "checkbox", value: scope })} id={id} />
      <label htmlFor={id}>
        {SCOPES[scope].text} <span className="mono">{scope}</span>
      </label>
    </div>
  );
}

/** The fields of an API client. `latest` is the last day that can be chosen, `yyyy-MM-dd`. */
export function ClientFields({ kind, latest }: { kind: ClientKind; latest: string }) {
  return (
    <>
      <TextField
        name="name"
        label={CLIENT_LABELS.name}
        hint="What the program is, such as 'Certificate store, Cologne'. Audit entries contain it."
        maxLength={60}
        autoComplete="off"
        required
      />
      <FieldGroup legend={CLIENT_LABELS.scopes} errorName="scopes">
        {scopesFor(kind).map((scope) => (
          <ScopeTick key={scope} scope={scope} />
        ))}
      </FieldGroup>
      <TextareaField
        name="networks"
        label={CLIENT_LABELS.networks}
        hint="One on each line, such as 192.0.2.0/24, 2001:db8::/32 or a single address. Without any, the client can be used from everywhere."
        optional
        mono
        rows={3}
      />
      <DateField name="lastDay" label={CLIENT_LABELS.lastDay} hint="In UTC, two years ahead at most." max={latest} />
    </>
  );
}
