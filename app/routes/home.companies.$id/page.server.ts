import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { companyList } from "~/domain/companies/staff/company-list";
import { addCompanyNote } from "~/domain/companies/staff/company-notes.service.server";
import { getCompanyPage } from "~/domain/companies/staff/company-page.service.server";
import { companyNoteValidator } from "~/domain/companies/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";
import { FORM } from "./form";

/** Returns the parameters of the list from which the company was opened. */
const listIn = (request: Request) => companyList.read(new URL(request.url).searchParams);

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireUser(request, "see-companies");
  return json({ company: await getCompanyPage(readId(params.id), viewer), list: listIn(request) });
}

/** Adds a note about the company. */
export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireUser(request, "write-company-notes");
  const id = readId(params.id);
  const sent = await readForm(request);
  const form = await companyNoteValidator.validate(sent);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const seen = sent.get("seen");
    await addCompanyNote(user, id, { text: form.data.note, seen: typeof seen === "string" ? Number(seen) || 0 : null });
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
  const to = companyList.addTo(paths.companyPage(id), listIn(request));
  return redirectWithToast(request, to, { kind: "ok", text: "The note was added." });
}
