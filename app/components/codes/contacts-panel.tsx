import { CONTACTS_ANCHOR } from "~/domain/codes/code-details-fields";
import { type CodePage } from "~/domain/codes/code-page.server";
import { contactName } from "~/domain/codes/contacts.policy";
import { rarePaths } from "~/lib/rare-paths";
import { DataTable } from "../lists/data-table";
import { LinkButton, SubmitButton } from "../ui/buttons";
import { Card } from "../ui/card";
import { Note } from "../ui/note";

interface Props extends Pick<CodePage, "code" | "contacts" | "removedContact" | "mayEdit"> {
  from: { from?: string };
}

type Contact = CodePage["contacts"][number];

/** Props of buttons that send the code's form, so that no typed value is lost. */
const ofForm = { variant: "secondary", small: true, skipValidation: true } as const;

export function ContactsPanel({ code, contacts, removedContact, mayEdit, from }: Props) {
  const add = (
    <SubmitButton name="contact" value="new" variant="secondary" skipValidation>
      Add New Contact
    </SubmitButton>
  );
  return (
    <Card title="Contacts" actions={mayEdit && add}>
      <DataTable
        id={CONTACTS_ANCHOR}
        caption="Contacts of this entity"
        rows={contacts}
        rowKey={({ id }) => id}
        columns={[
          { key: "firstName", label: "First Name", cell: (contact) => <FirstName {...contact} /> },
          { key: "lastName", label: "Last Name", cell: ({ lastName }) => lastName },
          { key: "phoneNumber", label: "Telephone", cell: ({ phoneNumber }) => phoneNumber },
          { key: "emailAddress", label: "Email", cell: ({ emailAddress }) => emailAddress },
          {
            key: "details",
            label: "Details",
            cell: (contact) =>
              mayEdit || !code ? (
                <EditButtons contact={contact} />
              ) : (
                <LinkButton to={rarePaths.codeContact({ code: code.id, contact: contact.id, ...from })} small>
                  <ViewDetails contact={contact} />
                </LinkButton>
              ),
          },
        ]}
      />
      <div role="status">{mayEdit && removedContact !== null && <Removed name={removedContact} />}</div>
    </Card>
  );
}

/** The first name, with what happens to the contact when the code is saved. */
function FirstName({ firstName, isHeld, isGone, storedAs }: Contact) {
  return (
    <span>
      {isGone ? <s>{firstName}</s> : firstName}
      {isGone && <span className="sub hint">Removed when the code is saved</span>}
      {isHeld && (
        <span className="sub hint">
          {storedAs === null ? "Not saved yet" : `Not saved yet; still stored as ${storedAs}`}
        </span>
      )}
    </span>
  );
}

const ViewDetails = ({ contact }: { contact: Contact }) => (
  <>
    View Details<span className="vh"> of {contactName(contact)}</span>
  </>
);

function EditButtons({ contact }: { contact: Contact }) {
  const { id, isHeld, isGone } = contact;
  if (isGone)
    return (
      <SubmitButton name="keep" value={id} {...ofForm}>
        Keep<span className="vh"> {contactName(contact)}</span>
      </SubmitButton>
    );
  return (
    <div className="row">
      <SubmitButton name="contact" value={id} {...ofForm}>
        <ViewDetails contact={contact} />
      </SubmitButton>
      <SubmitButton name="remove" value={id} {...ofForm}>
        {id > 0 && isHeld ? "Discard changes" : "Remove"}
        <span className="vh"> of {contactName(contact)}</span>
      </SubmitButton>
    </div>
  );
}

const Removed = ({ name }: { name: string }) => (
  <Note>
    <div className="row spread">
      <p>The unsaved changes of {name} have been removed.</p>
      <SubmitButton name="restore" value="yes" {...ofForm}>
        Undo
      </SubmitButton>
    </div>
  </Note>
);
