import { HELP } from "~/components/help-texts";
import { Note } from "~/components/note";

/** What an authentication contact must be (B §5, tooltip help); the requirements message speaks of 'the criteria listed above'. */
export function ContactCriteria() {
  return (
    <Note title="The authentication contact must">
      <ul>
        {HELP.authContactInfo.map((criterion) => (
          <li key={criterion}>{criterion}</li>
        ))}
      </ul>
      <p>
        They receive an e-mail with a link and are asked to authorise this order. Nothing is issued before their answer.
      </p>
    </Note>
  );
}
