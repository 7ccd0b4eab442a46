import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { companyFacts } from "~/domain/companies/company.service.server";
import {
  type InvitationView,
  inviteMember,
  listInvitationsFor,
  listUnusedInvitationsFor,
  withdrawInvitation,
} from "~/domain/companies/invitations.service.server";
import { listMembersFor } from "~/domain/companies/members.service.server";
import { mayAsMember, ROLE_NAMES } from "~/domain/companies/roles.policy";
import { invitationValidator } from "~/domain/companies/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { isPortalError, type PortalError } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";
import { FORM } from "./form";

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request, "see-company");
  const mayChange = mayAsMember(user, "manage-company") && user.impersonator === null;
  const [facts, members, invitations, unused] = await Promise.all([
    companyFacts(user),
    listMembersFor(user),
    mayChange ? listInvitationsFor(user) : Promise.resolve<InvitationView[]>([]),
    mayChange ? listUnusedInvitationsFor(user) : Promise.resolve<InvitationView[]>([]),
  ]);
  return json({ company: user.company, role: user.role, facts, members, invitations, unused, mayChange });
}

/** Returns why an invitation was not withdrawn. */
const goneText = ({ status, message }: PortalError) =>
  status === 404 ? "This invitation was used, was withdrawn or has ended." : message;

const back = (request: Request, text: string) => redirectWithToast(request, paths.company, { kind: "ok", text });

/** Invites somebody, or withdraws an invitation. */
export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request, "manage-company");
  const sent = await readForm(request);
  const withdrawn = sent.get("withdraw");
  try {
    if (typeof withdrawn === "string") {
      await withdrawInvitation(user, readId(withdrawn));
      return await back(request, "The invitation was withdrawn.");
    }
    const form = await invitationValidator.validate(sent);
    if (form.error) return invalid(form.error, form.submittedData);
    const replaced = await inviteMember(user, form.data);
    const before = replaced && ` It replaces the one before, which had the role ${ROLE_NAMES[replaced]}.`;
    return await back(request, `The invitation is on its way to ${form.data.email}.${before ?? ""}`);
  } catch (error) {
    if (typeof withdrawn === "string" && isPortalError(error))
      return redirectWithToast(request, paths.company, { kind: "warn", text: goneText(error) });
    return refused(error, Object.fromEntries(sent), FORM);
  }
}
