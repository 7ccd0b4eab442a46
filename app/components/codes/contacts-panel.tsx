import { type CodePage } from "~/domain/codes/code-page.server";
import { paths } from "~/lib/paths";
import { LinkButton, SubmitButton } from "../buttons";
import { Card } from "../card";
import { DataTable } from "../data-table";

interface Props extends Pick<CodePage, "code" | "contacts" | "mayEdit"> {
  from: { from?: string };
}

/** The panel Contacts. Its buttons send the code's form, so that nothing typed on it is lost. */
export function ContactsPanel({ code, contacts, mayEdit, from }: Props) {
  const labelOf = ({ firstName, lastName }: CodePage["contacts"][number]) => (
    <>
      View Details<span className="vh"> of {`${firstName} ${lastName}`}</span>
    </>
  );
  const add = (
    <SubmitButton name="contact" value="new" variant="secondary" skipValidation>
      Add New Contact
    </SubmitButton>
  );
  return (
    <Card title="Contacts" actions={mayEdit && add}>
      <DataTable
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
                <SubmitButton name="contact" value={contact.id} variant="secondary" small skipValidation>
                  {labelOf(contact)}
                </SubmitButton>
              ) : (
                <LinkButton to={paths.codeContact({ code: code.id, contact: contact.id, ...from })} small>
                  {labelOf(contact)}
                </LinkButton>
              ),
          },
        ]}
      />
    </Card>
  );
}

/** With what becomes of the contact when the code is saved. */
function FirstName({ firstName, isHeld, inPlaceOf }: CodePage["contacts"][number]) {
  return (
    <>
      {firstName}
      {isHeld && (
        <span className="sub hint">
          {inPlaceOf === null ? "Not saved yet" : `Not saved yet, in the place of ${inPlaceOf}`}
        </span>
      )}
    </>
  );
}
