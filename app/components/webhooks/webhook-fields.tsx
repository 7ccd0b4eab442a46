import { useContext } from "react";
import {
  HIGHEST_EXPIRY_DAYS,
  LONGEST_DESCRIPTION,
  LONGEST_URL,
  MOST_EXPIRY_DAYS,
  WEBHOOK_EVENTS,
} from "~/domain/webhooks/events";
import { FieldGroup } from "../forms/field-group";
import { fieldId, FormIdContext, NO_FORM } from "../forms/form-id";
import { usePortalField } from "../forms/portal-field";
import { TextField } from "../forms/text-field";

export const WEBHOOK_LABELS = {
  url: "Address",
  description: "Description",
  events: "Events",
  expiryDays: "Days before the end",
} as const;

function EventTick({ name, text }: { name: string; text: string }) {
  const { getInputProps } = usePortalField("events");
  const id = fieldId(useContext(FormIdContext) ?? NO_FORM, `events-${name}`);
  return (
    <div className="check">
      <input {...getInputProps<React.ComponentPropsWithoutRef<"input">>({ type: "checkbox", value: name })} id={id} />
      <label htmlFor={id}>
        {text} <span className="mono">{name}</span>
      </label>
    </div>
  );
}

/** The fields of a webhook. */
export const WebhookFields = () => (
  <>
    <TextField
      name="url"
      label={WEBHOOK_LABELS.url}
      hint="Where your receiver takes POST requests, such as https://hooks.example.com/certificates."
      maxLength={LONGEST_URL}
      autoComplete="off"
      spellCheck={false}
      required
    />
    <TextField
      name="description"
      label={WEBHOOK_LABELS.description}
      hint="For you and your colleagues."
      maxLength={LONGEST_DESCRIPTION}
      autoComplete="off"
      optional
    />
    <FieldGroup legend={WEBHOOK_LABELS.events} errorName="events">
      {Object.entries(WEBHOOK_EVENTS).map(([name, text]) => (
        <EventTick key={name} name={name} text={text} />
      ))}
    </FieldGroup>
    <TextField
      name="expiryDays"
      label={WEBHOOK_LABELS.expiryDays}
      hint={`For certificates that end soon: up to ${MOST_EXPIRY_DAYS} numbers from 1 to ${HIGHEST_EXPIRY_DAYS}, such as 30, 14, 7.`}
      maxLength={60}
      autoComplete="off"
      optional
    />
  </>
);
