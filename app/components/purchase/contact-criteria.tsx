import { Note } from "~/components/note";

/** What an authentication contact must be (B §5, tooltip help); the requirements message speaks of 'the criteria listed above'. */
export function ContactCriteria() {
  return (
    <Note title="The authentication contact must">
      <ul>
        <li>be someone other than you, the creator of the order,</li>
        <li>be employed by the organisation that the certificate is for,</li>
        <li>be able to authorise the order,</li>
        <li>
          have a company e-mail address in their own name: no free e-mail provider, no shared mailbox such as info@ or
          sales@.
        </li>
      </ul>
      <p>
        They receive an e-mail with a link and are asked to authorise this order. Nothing is issued before their answer.
      </p>
    </Note>
  );
}
