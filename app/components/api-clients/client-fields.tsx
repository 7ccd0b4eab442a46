import { useContext } from "react";
import { type ClientKind, SCOPES, type Scope, type ScopeBarriers, scopesFor } from "~/domain/api-clients/scopes.policy";
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

/** A scope to choose. With a barrier it counts for nobody, and only a client that has it can keep it. */
function ScopeTick({ scope, barrier, isHeld }: { scope: Scope; barrier: string | undefined; isHeld: boolean }) {
  const { getInputProps } = usePortalField("scopes");
  const id = fieldId(useContext(FormIdContext) ?? NO_FORM, `scopes-${scope}`);
  return (
    <div className="check">
      <input
        {...getInputProps<React.ComponentPropsWithoutRef<"input">>({ type: "checkbox", value: scope })}
        id={id}
        disabled={barrier !== undefined && !isHeld}
      />
      <label htmlFor={id}>
        {SCOPES[scope].text} <span className="mono">{scope}</span>
        {barrier !== undefined && <span className="sub">Not possible: needs {barrier}.</span>}
      </label>
    </div>
  );
}

interface Props {
  kind: ClientKind;
  /** The last day that can be chosen, `yyyy-MM-dd`. */
  latest: string;
  /** The scopes that a client of this person cannot have, and why. */
  beyond: ScopeBarriers;
  /** The scopes that the client has. */
  held: readonly Scope[];
}

/** The fields of an API client. */
export function ClientFields({ kind, latest, beyond, held }: Props) {
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
          <ScopeTick key={scope} scope={scope} barrier={beyond[scope]} isHeld={held.includes(scope)} />
        ))}
      </FieldGroup>
      <TextareaField
        name="networks"
        label={CLIENT_LABELS.networks}
        hint="One on each line, such as 192.0.2.0/24, 2001:db8::/32 or a single address. Without any, the client can be used from everywhere."
        optional
        spellCheck={false}
        rows={3}
      />
      <DateField name="lastDay" label={CLIENT_LABELS.lastDay} hint="In UTC, two years ahead at most." max={latest} />
    </>
  );
}
