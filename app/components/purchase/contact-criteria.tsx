import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { useFormContext } from "remix-validated-form";
import { Note } from "../ui/note";
import {
  CONTACT_REFUSED,
  type ContactFailure,
  type ContactRules,
  failedCriteria,
} from "~/domain/certificates/purchase/contact.policy";

/** The help text `authContactInfo` (B §5): the ends of 'The authentication contact must …'. */
export const AUTH_CONTACT_INFO = [
  { criterion: "other-person", text: "be someone other than you, the creator of the order," },
  { criterion: null, text: "be employed by the organisation that the certificate is for," },
  { criterion: null, text: "be able to authorise the order," },
  { criterion: "company-email", text: "have a company e-mail address, not one of a free e-mail provider," },
  { criterion: "own-name", text: "have it in their own name, not a shared mailbox such as info@ or sales@." },
] as const;

/** The criteria that the e-mail address of a refused form does not meet; the list follows the typing. */
export function useFailedCriteria(formId: string, rules: ContactRules) {
  const { fieldErrors, getValues } = useFormContext(formId);
  const answer = useActionData<{ repopulateFields?: { email?: unknown } }>();
  const [followed, followEmail] = useState<string>();
  if (fieldErrors.email !== CONTACT_REFUSED) return { failures: [], followEmail };
  // The form has no values yet while the page is rendered on the server.
  const email = followed ?? getValues().get("email") ?? answer?.repopulateFields?.email;
  return { failures: typeof email === "string" ? failedCriteria(email, rules) : [], followEmail };
}

/** What an authentication contact must be (B §5, tooltip help); the requirements message speaks of 'the criteria listed above'. */
export function ContactCriteria({ failures }: { failures: readonly ContactFailure[] }) {
  const isFailed = (wanted: string | null) => failures.some(({ criterion }) => criterion === wanted);
  return (
    <Note title="The authentication contact must">
      <ul>
        {AUTH_CONTACT_INFO.map(({ criterion, text }) => (
          <li key={text}>
            {isFailed(criterion) && <strong>Not met: </strong>}
            {text}
          </li>
        ))}
      </ul>
      <p>
        They receive an e-mail with a link and are asked to authorise this order. Nothing is issued before their answer.
      </p>
    </Note>
  );
}

/** The criteria that are not met, beneath the refusal. */
export function FailedCriteria({ failures }: { failures: readonly ContactFailure[] }) {
  return (
    <ul>
      {failures.map(({ criterion, message }) => (
        <li key={criterion}>{message}</li>
      ))}
    </ul>
  );
}
