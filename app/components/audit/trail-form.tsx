import { TRAIL_FIELDS, type TrailField, type TrailListParams } from "~/domain/audit/trail-list";
import { type TrailErrors } from "~/domain/audit/trail.service.server";
import { SEARCH_LIMIT } from "~/lib/list-params";
import { DAY_FORMAT } from "../forms/date-fields";
import { SearchFields } from "../forms/search-fields";
import { SearchForm } from "../forms/search-form";

interface Props {
  params: TrailListParams;
  errors: TrailErrors;
  /** The events that the audit trail has. */
  events: readonly string[];
  keep: URLSearchParams;
}

export const TRAIL_FORM = "audit";

export const TRAIL_LABELS: Record<TrailField, string> = {
  person: "Person",
  event: "Event",
  reference: "Reference",
  address: "Address",
  text: "Text",
  from: "From",
  to: "To",
};

const HINTS: Partial<Record<TrailField, string>> = {
  person: "Beginning of the email or user name, of whoever acted or is concerned, or the id of an API client",
  event: "Its beginning, for example certificate or certificate.issued",
  reference: "Number of an order, certificate or code",
  address: "Full client address",
  text: "A part of the message",
  from: DAY_FORMAT,
  to: DAY_FORMAT,
};

const EVENTS = "audit-events";

const FIELDS = TRAIL_FIELDS.map((name) => ({
  name,
  label: TRAIL_LABELS[name],
  hint: HINTS[name],
  isDay: name === "from" || name === "to",
  maxLength: SEARCH_LIMIT,
  list: name === "event" ? EVENTS : undefined,
}));

/** The search of the audit trail. */
export function TrailForm({ params, errors, events, keep }: Props) {
  return (
    <SearchForm className="form" noValidate keep={keep}>
      <datalist id={EVENTS}>
        {events.map((event) => (
          <option key={event} value={event} />
        ))}
      </datalist>
      <SearchFields formId={TRAIL_FORM} fields={FIELDS} values={params} errors={errors} className="pairs" />
    </SearchForm>
  );
}
