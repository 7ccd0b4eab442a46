import { useFormContext } from "remix-validated-form";
import { addressLabels } from "../forms/address-fields";
import { type Option } from "../forms/select-field";
import { WhenTicked } from "../ui/conditional";

interface Props {
  formId: string;
  countries: readonly Option[];
  /** The option values of the countries in which a VAT number is mandatory. */
  vatCountries: readonly string[];
}

const LABELS = addressLabels();

/**
 * The company address, shown as the disabled invoicing address while the preceding box is ticked and VAT is mandatory in the country for
 * which the page was rendered (CRD-01). It is for pages without scripts, where nothing can disable the fields of the form.
 */
export function UsedCompanyAddress({ formId, countries, vatCountries }: Props) {
  const { defaultValues } = useFormContext(formId);
  const address = ((defaultValues as { companyAddress?: unknown } | undefined)?.companyAddress ?? {}) as Record<
    string,
    string
  >;
  if (!vatCountries.includes(address.country ?? "")) return null;
  const shown = { ...address, country: countries.find(({ value }) => value === address.country)?.label ?? "" };
  return (
    <WhenTicked>
      <fieldset className="group" disabled>
        <legend className="vh">Invoicing address: the company address</legend>
        {Object.entries(LABELS).map(([part, label]) => (
          <div className="field" key={part}>
            <label htmlFor={`${formId}-used-${part}`}>{label}</label>
            <input id={`${formId}-used-${part}`} defaultValue={shown[part as keyof typeof shown] ?? ""} />
          </div>
        ))}
      </fieldset>
    </WhenTicked>
  );
}
