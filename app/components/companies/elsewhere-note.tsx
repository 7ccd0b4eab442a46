import { Form } from "@remix-run/react";
import { type Elsewhere } from "~/domain/companies/elsewhere.server";
import { paths } from "~/lib/paths";
import { CsrfField } from "../forms/csrf-field";
import { SubmitButton } from "../ui/buttons";
import { Note } from "../ui/note";

/** Says that something belongs to another company of the user, with the button that leads to it. */
export const ElsewhereNote = ({ companyId, company, what, to }: Elsewhere) => (
  <Note tone="warn" title={`This ${what} belongs to another company of yours.`}>
    <p>
      To open it, work for <bdi>{company}</bdi>.
    </p>
    <Form method="post" action={paths.chooseCompany}>
      <CsrfField />
      <input type="hidden" name="company" value={companyId} />
      <input type="hidden" name="to" value={to} />
      <SubmitButton>Switch to {company}</SubmitButton>
    </Form>
  </Note>
);
