import { Form } from "@remix-run/react";
import { type Unfinished } from "~/domain/orders/own/discarding.service.server";
import { paths } from "~/lib/paths";
import { CsrfField } from "../forms/csrf-field";
import { SubmitButton } from "../ui/buttons";

interface Props {
  wizard: Unfinished;
  /** The id of the draft. */
  id: string;
  what: string;
}

/** Discards an order that is not complete. The page of the orders asks before it does so. */
export const DiscardForm = ({ wizard, id, what }: Props) => (
  <Form method="post" action={paths.orders}>
    <CsrfField />
    <input type="hidden" name="wizard" value={wizard} />
    <input type="hidden" name="what" value={what} />
    <SubmitButton name="draft" value={id} variant="secondary" small>
      Discard…<span className="vh"> {what}</span>
    </SubmitButton>
  </Form>
);
