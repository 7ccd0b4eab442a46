import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { useFormContext } from "remix-validated-form";
import {
  CONTACT_REFUSED,
  type ContactCriterion,
  type ContactFailure,
  type ContactRules,
  failedCriteria,
} from "~/domain/certificates/purchase/contact.policy";
import { Note } from "../ui/note";
import { PhoneFold } from "../ui/phone-fold";

/** The help text `authContactInfo` (PUR-02), word for word. Each item completes the sentence 'The authentication contact must be …'. */
export const AUTH_CONTACT_INFO: readonly { criteria: readonly ContactCriterion[]; text: string }[] = [
  { criteria: ["other-person"], text: "someone other than the order creator," },
  { criteria: [], text: "employed by the organisation," },
  { criteria: [], text: "able to authorise the order," },
  { criteria: ["company-email", "own-name"], text: "with a company e-mail in their own name." },
];

/** Returns the criteria that the email address of a refused form does not meet. They follow the typing. */
export function useFailedCriteria(formId: string, rules: ContactRules) {
  const { fieldErrors, getValues } = useFormContext(formId);
  const answer = useActionData<{ repopulateFields?: { email?: unknown } }>();
  const [followed, followEmail] = useState<string>();
  if (fieldErrors.email !== CONTACT_REFUSED) return { failures: [], followEmail };
  // The form has no values yet while the server renders the page.
  const email = followed ?? getValues().get("email") ?? answer?.repopulateFields?.email;
  return { failures: typeof email === "string" ? failedCriteria(email, rules) : [], followEmail };
}

/**
 * The criteria for an authentication contact (PUR-02). The refusal refers to them as 'the criteria listed above', so they are folded on phones
 * only while all of them are met.
 */
export function ContactCriteria({ failures }: { failures: readonly ContactFailure[] }) {
  const criteria = (
    <>
      <strong>The authentication contact must be</strong>
      <CriteriaList failures={failures} />
    </>
  );
  return (
    <Note>
      {failures.length > 0 ? (
        criteria
      ) : (
        <PhoneFold summary="Who can be the authentication contact">{criteria}</PhoneFold>
      )}
    </Note>
  );
}

const CriteriaList = ({ failures }: { failures: readonly ContactFailure[] }) => (
  <>
    <ul>
      {AUTH_CONTACT_INFO.map(({ criteria, text }) => (
        <li key={text}>
          {failures.some(({ criterion }) => criteria.includes(criterion)) && <strong>Not met: </strong>}
          {text}
        </li>
      ))}
    </ul>
    <details>
      <summary>What a company email is, and what they receive</summary>
      <p>
        A company email is not one of a free email provider. One in their own name is not a shared mailbox such as info@
        or sales@.
      </p>
      <p>
        They receive an email with a link and are asked to authorise this order. Nothing is issued before their answer.
      </p>
    </details>
  </>
);

/** The criteria that are not met, below the refusal. */
export function FailedCriteria({ failures }: { failures: readonly ContactFailure[] }) {
  return (
    <ul>
      {failures.map(({ criterion, message }) => (
        <li key={criterion}>{message}</li>
      ))}
    </ul>
  );
}
