import { SubmitButton } from "../ui/buttons";
import { type Option, SelectField } from "./select-field";
import { TextField } from "./text-field";

const texts = {
  addressLine1: { label: "Address line 1", autoComplete: "address-line1", maxLength: 60 },
  addressLine2: { label: "Address line 2", autoComplete: "address-line2", maxLength: 60 },
  addressLine3: { label: "Address line 3", autoComplete: "address-line3", maxLength: 60 },
  city: { label: "City", autoComplete: "address-level2", maxLength: 90 },
  postalCode: { label: "Postal code", autoComplete: "postal-code", maxLength: 10 },
  region: { label: "Region", autoComplete: "address-level1", maxLength: 70 },
} as const;

/**
 * Returns the labels by field name, such as 'Address line 1', for the error summary. `ofWhat` is appended to distinguish this address from
 * another one.
 */
export function addressLabels(prefix = "", ofWhat = ""): Record<string, string> {
  const labels = Object.entries(texts).map(([part, { label }]) => [prefix + part, label + ofWhat]);
  return { ...Object.fromEntries(labels), [`${prefix}country`]: `Country${ofWhat}` } as Record<string, string>;
}

type TextPart = keyof typeof texts;
export type AddressPart = TextPart | "country";

const everything: AddressPart[] = [...(Object.keys(texts) as TextPart[]), "country"];
const optionalParts: AddressPart[] = ["addressLine2", "addressLine3", "region"];

interface Props {
  /** Prepended to every field name, e.g. "companyAddress.". */
  prefix?: string;
  countries: readonly Option[];
  include?: readonly AddressPart[];
  /** Field names that differ from the part's name. */
  names?: Partial<Record<AddressPart, string>>;
  labels?: Partial<Record<AddressPart, string>>;
  maxLength?: Partial<Record<TextPart, number>>;
  autoComplete?: "billing" | "shipping";
  disabled?: boolean;
  readOnly?: boolean;
  /** The intent of a button that updates the country without scripts. */
  updateIntent?: string;
  onCountryChange?: (country: string) => void;
}

export function AddressFields(props: Props) {
  const { prefix = "", include = everything, names = {}, labels = {}, maxLength = {}, autoComplete, disabled } = props;
  const nameOf = (part: AddressPart) => prefix + (names[part] ?? part);
  const tokens = (token: string) => (autoComplete ? `${autoComplete} ${token}` : token);

  return include.map((part) =>
    part === "country" ? (
      <SelectField
        key={part}
        name={nameOf(part)}
        label={labels.country ?? "Country"}
        options={props.countries}
        placeholder="Select country"
        autoComplete={tokens("country")}
        disabled={disabled ?? props.readOnly}
        onChange={(event) => props.onCountryChange?.(event.currentTarget.value)}
        button={
          props.updateIntent && (
            <div className="no-js">
              <SubmitButton intent={props.updateIntent} variant="secondary" skipValidation>
                Update country
              </SubmitButton>
            </div>
          )
        }
      />
    ) : (
      <TextField
        key={part}
        name={nameOf(part)}
        label={labels[part] ?? texts[part].label}
        optional={optionalParts.includes(part)}
        maxLength={maxLength[part] ?? texts[part].maxLength}
        autoComplete={tokens(texts[part].autoComplete)}
        disabled={disabled}
        readOnly={props.readOnly}
      />
    ),
  );
}
