import { TRAIL_FIELDS, type TrailField, type TrailListParams } from "~/domain/audit/trail-list";
import { type TrailErrors } from "~/domain/audit/trail.service.server";
import { SEARCH_LIMIT } from "~/lib/list-params";
import { DAY_FORMAT } from "../forms/date-fields";
import { namedMessage } from "../forms/field-label";
import { fieldId } from "../forms/form-id";
import { SearchFields } from "../forms/search-fields";
import { SearchForm } from "../forms/search-form";

interface Props {
  /** The fields to show. */
  fields?: readonly TrailField[];
  /** The texts of the fields. */
  params: Partial<TrailListParams>;
  errors: TrailErrors;
  /** The events that the audit trail has. */
  events: readonly string[];
  keep: URLSearchParams;
}

export const TRAIL_FORM = "audit";

const TRAIL_LABELS: Record<TrailField, string> = {
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

const fieldOf = (name: TrailField) => ({
  name,
  label: TRAIL_LABELS[name],
  hint: HINTS[name],
  isDay: name === "from" || name === "to",
  maxLength: SEARCH_LIMIT,
  list: name === "event" ? EVENTS : undefined,
});

/** Returns the errors of a search for the summary above its form. */
export const trailSummary = (errors: TrailErrors) =>
  (["person", "from", "to"] as const).flatMap((name) => {
    const message = errors[name];
    return message
      ? [{ message: namedMessage(TRAIL_LABELS[name], message), href: `#${fieldId(TRAIL_FORM, name)}` }]
      : [];
  });

/** The search of the audit trail, or of a part of it. */
export function TrailForm({ fields = TRAIL_FIELDS, params, errors, events, keep }: Props) {
  const values = Object.fromEntries(fields.map((name) => [name, params[name] ?? ""])) as Record<TrailField, string>;
  return (
    <SearchForm className="form" noValidate keep={keep}>
      <datalist id={EVENTS}>
        {events.map((event) => (
          <option key={event} value={event} />
        ))}
      </datalist>
      <SearchFields
        formId={TRAIL_FORM}
        fields={fields.map(fieldOf)}
        values={values}
        errors={errors}
        className="pairs"
      />
    </SearchForm>
  );
}
