import { Form } from "@remix-run/react";
import { type TrailField, type TrailListParams } from "~/domain/audit/trail-list";
import { type TrailErrors } from "~/domain/audit/trail.service.server";
import { typedDay } from "~/lib/typed-dates";
import { SEARCH_LIMIT } from "~/lib/list-params";
import { SubmitButton } from "../ui/buttons";
import { DAY_FORMAT, WithPicker } from "../forms/date-fields";
import { Field } from "../forms/field";
import { FollowingInput } from "../forms/following";

interface Props {
  params: TrailListParams;
  errors: TrailErrors;
  /** What the trail has entries of. */
  events: readonly string[];
  /** Parameters of the URL that stay as they are. */
  keep: Record<string, string>;
}

export const trailFieldId = (field: string) => `audit-${field}`;

export const TRAIL_LABELS: Record<TrailField, string> = {
  person: "Person",
  event: "Event",
  reference: "Reference",
  text: "Text",
  from: "From",
  to: "To",
};

const HINTS: Partial<Record<TrailField, string>> = {
  person: "Beginning of the e-mail or user name, of whoever acted or is concerned",
  event: "Its beginning, for example certificate or certificate.issued",
  reference: "Number of an order, certificate or code",
  text: "A part of the message",
  from: DAY_FORMAT,
  to: DAY_FORMAT,
};

const EVENTS = "audit-events";

/** What the audit trail is searched for, as a form of method get: the search is in the address. */
export function TrailForm({ params, errors, events, keep }: Props) {
  const field = (name: TrailField) => {
    const id = trailFieldId(name);
    const hint = HINTS[name];
    const error = name === "person" || name === "from" || name === "to" ? errors[name] : undefined;
    const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
    const isDay = name === "from" || name === "to";
    const input = (
      <FollowingInput
        id={id}
        name={name}
        value={isDay ? typedDay(params[name]) : params[name]}
        maxLength={SEARCH_LIMIT}
        list={name === "event" ? EVENTS : undefined}
        autoComplete="off"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy || undefined}
      />
    );
    return (
      <Field id={id} label={TRAIL_LABELS[name]} hint={hint} error={error}>
        {isDay ? (
          <WithPicker type="date" label={TRAIL_LABELS[name]}>
            {input}
          </WithPicker>
        ) : (
          input
        )}
      </Field>
    );
  };
  return (
    <Form method="get" role="search" className="form" noValidate>
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <datalist id={EVENTS}>
        {events.map((event) => (
          <option key={event} value={event} />
        ))}
      </datalist>
      <div className="pairs">
        {field("person")}
        {field("event")}
        {field("reference")}
        {field("text")}
        {field("from")}
        {field("to")}
      </div>
      <div>
        <SubmitButton>Search</SubmitButton>
      </div>
    </Form>
  );
}
