import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { CONTACT_FORM, CONTACT_LABELS } from "~/components/codes/code-form";
import { ContactFields } from "~/components/codes/contact-fields";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { UnsavedChanges } from "~/components/forms/unsaved-changes";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { CODE_CONTACT_FIELDS } from "~/domain/codes/code-details-fields";
import { getContact, keepContact } from "~/domain/codes/contact-form.server";
import { contactName, readContactId } from "~/domain/codes/contacts.policy";
import { codeContactValidator as validator } from "~/domain/codes/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { notFound } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { cameFrom } from "./home.codes_.code-details/came-from";
import { notEditable, requireCode } from "./home.codes_.code-details/code.server";

const contactIdOf = (request: Request) => readContactId(new URL(request.url).searchParams.get("contact"));

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const open = await requireCode(request, user);
  const id = contactIdOf(request);
  const target = open.draft ? { draft: open.draft.id } : { ...(open.stored && { code: open.stored.id }) };
  const back = paths.codeDetails({ ...target, ...cameFrom(request) });
  const mayEdit = open.mayEdit && open.draft !== null;
  if (id === null && !mayEdit) throw redirect(back); // a new contact belongs to a form
  return json({ contact: id === null ? null : await getContact(open, id), mayEdit, back });
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const open = await requireCode(request, user);
  const sent = await readForm(request);
  const { draft, mayEdit } = open;
  if (!draft) throw notFound();
  if (!mayEdit) return notEditable(request, open);
  const form = await validator.validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  const back = paths.codeDetails({ draft: draft.id, ...cameFrom(request) });
  try {
    const replaced = await keepContact(user.id, { open, draft }, form.data, contactIdOf(request));
    if (!replaced) return redirect(back, 303);
    const text = `${contactName(form.data)} takes the place of ${contactName(replaced)}, who had the same e-mail address.`;
    return await redirectWithToast(request, back, { kind: "warn", text });
  } catch (error) {
    return refused(error, form.submittedData, CONTACT_FORM);
  }
}

export default function CodeContact() {
  const { contact, mayEdit, back } = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={CONTACT_FORM} order={CODE_CONTACT_FIELDS} labels={CONTACT_LABELS} />
      <PageHeader title="Contact Details" back={{ to: back }}>
        {mayEdit && "The contact is saved together with its code."}
      </PageHeader>
      <PortalForm id={CONTACT_FORM} validator={validator} defaultValues={contact ?? {}} defaultIntent="save">
        <Card title="Contact">
          <ContactFields disabled={!mayEdit} />
        </Card>
        <ButtonRow>
          {mayEdit && <SubmitButton intent="save">{contact ? "Update" : "Save"}</SubmitButton>}
          <LinkButton to={back}>Back</LinkButton>
        </ButtonRow>
        <UnsavedChanges formId={CONTACT_FORM} />
      </PortalForm>
    </div>
  );
}

export const meta = pageTitle("Contact Details");
