import { Form } from "@remix-run/react";
import {
  KEY_SIZES,
  type PreparationField,
  type PreparationValues,
} from "~/domain/certificates/request/preparation/preparation-fields";
import { paths } from "~/lib/paths";
import { Field } from "../forms/field";
import { FollowingInput, FollowingSelect, FollowingTextarea } from "../forms/following";
import { fieldId } from "../forms/form-id";
import { ORDER_HELP } from "../purchase/order-help-texts";
import { SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";

export const PREPARE_FORM = "prepare-csr";

export type PreparationErrors = Partial<Record<PreparationField, string>>;

export const PREPARATION_LABELS: Record<PreparationField, string> = {
  commonName: "Common name",
  organisation: "Organisation",
  organisationUnit: "Organisation unit",
  city: "City",
  state: "State or region",
  country: "Country",
  email: "Email address",
  oftpid: "OFTP ID (SSID)",
  dnsNames: "DNS names",
  ipAddresses: "IP addresses",
  keySize: "Key size",
};

interface Props {
  values: PreparationValues;
  errors: PreparationErrors;
  countries: readonly { value: string; label: string }[];
}

interface Texts {
  name: PreparationField;
  hint?: string;
  optional?: boolean;
}

/** Returns what connects a control with its label, hint and message. */
function useControl({ name, hint, optional }: Texts, { values, errors }: Props) {
  const id = fieldId(PREPARE_FORM, name);
  const error = errors[name];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const control = {
    id,
    name,
    value: values[name],
    "aria-invalid": error ? true : undefined,
    "aria-describedby": described || undefined,
  };
  return { control, field: { id, label: PREPARATION_LABELS[name], hint, optional, error } };
}

function Text({ form, mono, ...texts }: Texts & { form: Props; mono?: boolean }) {
  const { control, field } = useControl(texts, form);
  return (
    <Field {...field}>
      <FollowingInput
        {...control}
        type="text"
        autoComplete="off"
        className={mono ? "mono" : undefined}
        spellCheck={false}
      />
    </Field>
  );
}

function Choice({ form, options, ...texts }: Texts & { form: Props; options: Props["countries"] }) {
  const { control, field } = useControl(texts, form);
  return (
    <Field {...field}>
      <FollowingSelect {...control}>
        {texts.name === "country" && <option value="">Select country</option>}
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </FollowingSelect>
    </Field>
  );
}

function Lines({ form, ...texts }: Texts & { form: Props }) {
  const { control, field } = useControl(texts, form);
  return (
    <Field {...field}>
      <FollowingTextarea {...control} rows={3} spellCheck={false} />
    </Field>
  );
}

const SIZES = KEY_SIZES.map((size) => ({ value: String(size), label: `RSA, ${size} bits` }));

/** The contents of the CSR. It is a GET form, so that the page with the commands has an address and works without scripts. */
export function DetailsForm(props: Props) {
  return (
    <Form method="get" action={paths.prepareCsr()} id={PREPARE_FORM} className="form" noValidate preventScrollReset>
      <Card title="Certificate details" className="stack">
        <Text form={props} name="commonName" hint="Usually the host name of your OFTP2 server, e.g. oftp.example.com" />
        <Text form={props} name="organisation" hint="Your company’s registered name" />
        <Text form={props} name="organisationUnit" optional />
        <Text form={props} name="city" optional />
        <Text form={props} name="state" optional />
        <Choice form={props} name="country" options={props.countries} />
        <Text form={props} name="email" optional />
        <Text form={props} name="oftpid" optional mono hint={`${ORDER_HELP.ssid} It becomes the serial number.`} />
        <Lines form={props} name="dnsNames" optional hint="Other host names, one per line" />
        <Text form={props} name="ipAddresses" optional mono />
        <Choice form={props} name="keySize" options={SIZES} />
        <div>
          <SubmitButton>Continue</SubmitButton>
        </div>
      </Card>
    </Form>
  );
}
