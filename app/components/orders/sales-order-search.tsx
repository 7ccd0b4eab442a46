import { Form } from "@remix-run/react";
import { type SalesOrderListErrors } from "~/domain/orders/list/criteria.policy";
import { type SalesOrderFilter, type SalesOrderListParams } from "~/domain/orders/list/sales-order-list";
import { FILTER_LABELS } from "~/domain/orders/list/texts";
import { ORDER_TYPE_LABELS } from "~/domain/orders/order-types";
import { ORDER_STATUSES } from "~/domain/orders/sales-order-fields";
import { typedDay } from "~/lib/typed-dates";
import { SEARCH_LIMIT } from "~/lib/list-params";
import { SubmitButton } from "../ui/buttons";
import { DAY_FORMAT, WithPicker } from "../forms/date-fields";
import { Field } from "../forms/field";
import { FollowingInput, FollowingSelect } from "../forms/following";
import { type Option } from "../forms/select-field";

interface Props {
  params: SalesOrderListParams;
  errors: SalesOrderListErrors;
  countries: readonly Option[];
  /** Parameters of the URL that stay as they are. */
  keep: Record<string, string>;
}

export const filterId = (name: SalesOrderFilter) => `sales-order-${name}`;

const STATUSES = ORDER_STATUSES.map((status) => ({ value: status, label: status }));
const TYPES = Object.entries(ORDER_TYPE_LABELS).map(([value, label]) => ({ value, label }));

/** The search's fields (B §2) as a form of method get: the search is in the address. */
export function SalesOrderSearch({ params, errors, countries, keep }: Props) {
  const attributes = (name: SalesOrderFilter, hint?: string) => ({
    id: filterId(name),
    name,
    value: params[name],
    "aria-invalid": errors[name] ? (true as const) : undefined,
    "aria-describedby":
      [hint && `${filterId(name)}-hint`, errors[name] && `${filterId(name)}-error`].filter(Boolean).join(" ") ||
      undefined,
  });
  const field = (name: SalesOrderFilter, control: React.ReactNode, hint?: string) => (
    <Field id={filterId(name)} label={FILTER_LABELS[name]} hint={hint} error={errors[name]}>
      {control}
    </Field>
  );
  const day = (name: "from" | "to") =>
    field(
      name,
      <WithPicker type="date" label={FILTER_LABELS[name]}>
        <FollowingInput {...attributes(name, DAY_FORMAT)} value={typedDay(params[name])} autoComplete="off" />
      </WithPicker>,
      DAY_FORMAT,
    );
  const text = (name: SalesOrderFilter) =>
    field(name, <FollowingInput {...attributes(name)} maxLength={SEARCH_LIMIT} autoComplete="off" />);
  const choice = (name: SalesOrderFilter, any: string, options: readonly Option[]) =>
    field(
      name,
      <FollowingSelect {...attributes(name)}>
        <option value="">{any}</option>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </FollowingSelect>,
    );
  return (
    <Form method="get" role="search" className="form" noValidate>
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="filters">
        {day("from")}
        {day("to")}
        {text("company")}
        {choice("status", "Any status", STATUSES)}
        {text("orderNumber")}
        {choice("orderType", "Any type", TYPES)}
        {text("userName")}
        {choice("country", "Any country", countries)}
      </div>
      <div>
        <SubmitButton>Search</SubmitButton>
      </div>
    </Form>
  );
}
