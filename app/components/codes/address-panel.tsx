import { AddressFields } from "../forms/address-fields";
import { CheckboxField } from "../forms/checkbox-field";
import { type Option } from "../forms/select-field";
import { Card } from "../ui/card";
import { WhenTicked } from "../ui/conditional";
import { CODE_LABELS } from "./code-form";

const ADDRESSES = {
  physicalAddress: {
    title: "Physical Address",
    same: "useCompanyAddress",
    message: "Physical address is the same as company address.",
  },
  mailingAddress: {
    title: "Mailing Address",
    same: "usePhysicalAddress",
    message: "Mailing address is the same as physical address.",
  },
} as const;

interface Props {
  name: keyof typeof ADDRESSES;
  countries: readonly Option[];
  disabled: boolean;
}

/** An address of a code, or a note that it is the same as the other address (COD-03). */
export function AddressPanel({ name, countries, disabled }: Props) {
  const { title, same, message } = ADDRESSES[name];
  return (
    <Card title={title}>
      <fieldset className="group" disabled={disabled}>
        <legend className="vh">{title}</legend>
        <CheckboxField name={same} label={CODE_LABELS[same]} toggle />
        <WhenTicked>
          <p>{message}</p>
        </WhenTicked>
        <div className="when-unticked group">
          <AddressFields prefix={`${name}.`} countries={countries} />
        </div>
      </fieldset>
    </Card>
  );
}
