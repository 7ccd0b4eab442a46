import { type SalesOrderListErrors } from "~/domain/orders/list/criteria.policy";
import {
  CODE_ORDERS,
  SALES_ORDER_FILTERS,
  type SalesOrderFilter,
  type SalesOrderListParams,
} from "~/domain/orders/list/sales-order-list";
import { FILTER_LABELS } from "~/domain/orders/list/texts";
import { ORDER_TYPE_LABELS } from "~/domain/orders/order-types";
import { ORDER_STATUSES } from "~/domain/orders/sales-order-fields";
import { SEARCH_LIMIT } from "~/lib/list-params";
import { DAY_FORMAT } from "../forms/date-fields";
import { type SearchField, SearchFields } from "../forms/search-fields";
import { SearchForm } from "../forms/search-form";
import { type Option } from "../forms/select-field";

interface Props {
  params: SalesOrderListParams;
  errors: SalesOrderListErrors;
  countries: readonly Option[];
  keep: URLSearchParams;
}

export const SALES_ORDER_SEARCH = "sales-order";

const STATUSES = ORDER_STATUSES.map((status) => ({ value: status, label: status }));
const TYPES = [
  ...Object.entries(ORDER_TYPE_LABELS).map(([value, label]) => ({ value, label })),
  { value: CODE_ORDERS, label: "All ID code orders" },
];

type Kind = Omit<SearchField<SalesOrderFilter>, "name" | "label">;

const DAY: Kind = { isDay: true, hint: DAY_FORMAT };
const TEXT: Kind = { maxLength: SEARCH_LIMIT };

function fieldsWith(countries: readonly Option[]): SearchField<SalesOrderFilter>[] {
  const kinds: Record<SalesOrderFilter, Kind> = {
    from: DAY,
    to: DAY,
    company: TEXT,
    status: { choices: { any: "Any status", options: STATUSES } },
    orderNumber: TEXT,
    orderType: { choices: { any: "Any type", options: TYPES } },
    userName: TEXT,
    country: { choices: { any: "Any country", options: countries } },
  };
  return SALES_ORDER_FILTERS.map((name) => ({ name, label: FILTER_LABELS[name], ...kinds[name] }));
}

/** The search of the sales orders (SAL-01). */
export function SalesOrderSearch({ params, errors, countries, keep }: Props) {
  const fields = fieldsWith(countries);
  return (
    <SearchForm className="form" noValidate keep={keep}>
      <SearchFields formId={SALES_ORDER_SEARCH} fields={fields} values={params} errors={errors} className="filters" />
    </SearchForm>
  );
}
