import { SECURITY_EVENTS } from "~/domain/security-events/events";
import { type EventField, type EventListParams } from "~/domain/security-events/list";
import { type EventErrors } from "~/domain/security-events/list.service.server";
import { SEARCH_LIMIT } from "~/lib/list-params";
import { DAY_FORMAT } from "../forms/date-fields";
import { SearchFields } from "../forms/search-fields";
import { SearchForm } from "../forms/search-form";

export const EVENT_FORM = "security-events";

export const EVENT_LABELS: Record<EventField, string> = {
  event: "Event",
  user: "User",
  address: "Address",
  from: "From",
  to: "To",
};

const HINTS: Partial<Record<EventField, string>> = {
  user: "Beginning of the email or user name, of whoever acted or is concerned",
  address: "Full client address, or a network such as 192.0.2.0/24 or 2001:db8::/32",
  from: DAY_FORMAT,
  to: DAY_FORMAT,
};

const OPTIONS = Object.entries(SECURITY_EVENTS).map(([value, { caption }]) => ({ value, label: caption }));

/** In pairs: the two days stand beside each other. */
const FIELDS = (["from", "to", "event", "user", "address"] as const).map((name) => ({
  name,
  label: EVENT_LABELS[name],
  hint: HINTS[name],
  isDay: name === "from" || name === "to",
  ...(name === "event" ? { choices: { any: "All events", options: OPTIONS } } : { maxLength: SEARCH_LIMIT }),
}));

interface Props {
  params: EventListParams;
  errors: EventErrors;
  keep: URLSearchParams;
}

/** The search of the security events. */
export const EventForm = ({ params, errors, keep }: Props) => (
  <SearchForm className="form" noValidate keep={keep}>
    <SearchFields
      formId={EVENT_FORM}
      fields={FIELDS}
      values={{ ...params, event: params.event ?? "" }}
      errors={errors}
      className="pairs"
    />
  </SearchForm>
);
