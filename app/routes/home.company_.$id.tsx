import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { OnlyOwnerStays } from "~/components/companies/members-table";
import { RolesList } from "~/components/companies/roles-list";
import { CsrfField } from "~/components/forms/csrf-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { SelectField } from "~/components/forms/select-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { Card } from "~/components/ui/card";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { PageHeader } from "~/components/ui/page-header";
import { type SessionUser } from "~/domain/accounts/session-user";
import {
  changeMemberRole,
  consequencesOf,
  handOverCompany,
  listMembersFor,
  removeMember,
} from "~/domain/companies/members.service.server";
import { isLastOwner, mayAsMember, ROLE_NAMES, ROLES } from "~/domain/companies/roles.policy";
import { roleValidator as validator } from "~/domain/companies/validators";
import { dutyOf, landingOf } from "~/http/duties.server";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { findUser, requireUser } from "~/http/guard.server";
import { invalid, refused } from "~/http/responses.server";
import { isPortalError, notFound } from "~/lib/errors";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

const FORM = "member";

/** Returns the member of the page. Owners see every member; others only themselves, to leave the company. */
async function requireMemberPage(request: Request, id: string | undefined) {
  const user = await requireUser(request, "see-company");
  const members = await listMembersFor(user);
  const member = members.find((one) => one.id === readId(id));
  const mayChange = mayAsMember(user, "manage-company");
  if (!member || user.impersonator || (!mayChange && !member.isSelf)) throw notFound();
  return { user, member, mayChange, mustStay: isLastOwner(member, members), isAlone: members.length === 1 };
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { user, ...page } = await requireMemberPage(request, params.id);
  return json({ ...page, company: user.company });
}

const QUESTIONS = ["remove", "hand-over"] as const;
type Question = (typeof QUESTIONS)[number];

interface Asked {
  asked: { intent: Question | "role"; role?: string };
  /** What ends or pauses with the change. */
  losses: string[];
}

/** Does what was confirmed. Returns the message about it. */
async function carryOut(user: SessionUser, id: number, question: Question): Promise<string> {
  if (question === "hand-over") {
    await handOverCompany(user, id);
    return "The company was handed over. Your role is Purchaser now.";
  }
  await removeMember(user, id);
  return id === user.id ? `You have left ${user.company}.` : "The member was removed.";
}

export async function action({ request, params }: ActionFunctionArgs) {
  const { user, member } = await requireMemberPage(request, params.id);
  const sent = await readForm(request);
  const question = QUESTIONS.find((one) => one === sent.get("intent"));
  const isConfirmed = sent.get("confirmed") === "yes";
  try {
    if (question && !isConfirmed) {
      const losses = await consequencesOf(user, member.id, question);
      return json<Asked>({ asked: { intent: question }, losses });
    }
    if (question) {
      const text = await carryOut(user, member.id, question);
      const after = (await findUser(request)) ?? user;
      // The page of somebody who has left their only company says that they have.
      if (dutyOf(after) === "missingDetails") return redirect(landingOf(after), 303);
      const next = member.isSelf ? landingOf(after) : paths.company;
      return await redirectWithToast(request, next, { kind: "ok", text });
    }
    const form = await validator.validate(sent);
    if (form.error) return invalid(form.error, form.submittedData);
    const { role } = form.data;
    const losses = isConfirmed ? [] : await consequencesOf(user, member.id, "role", role);
    if (losses.length > 0) return json<Asked>({ asked: { intent: "role", role }, losses });
    await changeMemberRole(user, member.id, role);
    const text = `${member.name} has the role ${ROLE_NAMES[role]} now.`;
    return await redirectWithToast(request, paths.company, { kind: "ok", text });
  } catch (error) {
    if (question && isPortalError(error))
      return redirectWithToast(request, paths.company, { kind: "warn", text: error.message });
    return refused(error, Object.fromEntries(sent), FORM);
  }
}

const OPTIONS = ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] }));

interface Texts {
  title: string;
  question: string;
  confirmLabel: string;
}

const textsOf = (name: string, company: string): Record<Question | "role" | "leave", Texts> => ({
  role: {
    title: "Change role",
    question: `Are you sure you wish to change the role of ${name} in ${company}?`,
    confirmLabel: "Change role",
  },
  remove: {
    title: "Remove member",
    question: `Are you sure you wish to remove ${name} from ${company}?`,
    confirmLabel: "Remove",
  },
  leave: {
    title: "Leave company",
    question: `Are you sure you wish to leave ${company}? You will not see its certificates, codes and orders any more.`,
    confirmLabel: "Leave",
  },
  "hand-over": {
    title: "Hand over company",
    question: `Are you sure you wish to make ${name} an owner of ${company}? Your own role will be Purchaser.`,
    confirmLabel: "Hand over",
  },
});

/** Changes the role of a member, hands the company over, or removes the member. */
export default function Member() {
  const { member, mayChange, mustStay, isAlone, company } = useLoaderData<typeof loader>();
  const { asked, losses = [] } = useActionData<Partial<Asked>>() ?? {};
  const intent = asked?.intent ?? "remove";
  const texts = textsOf(member.name, company)[intent === "remove" && member.isSelf ? "leave" : intent];
  return (
    <ConfirmStep
      asked={asked && { ...asked }}
      {...texts}
      details={losses.map((text) => (
        <p key={text}>{text}</p>
      ))}
      cancelTo={paths.companyMember(member.id)}
    >
      <div className="narrow stack-l">
        <ErrorSummary formId={FORM} labels={{ role: "Role" }} />
        <PageHeader title={member.name} back={{ to: paths.company, label: "Your company" }}>
          <p>
            {member.email}, {ROLE_NAMES[member.role]} of {company}
          </p>
        </PageHeader>
        {mayChange && (
          <Card title="Role">
            <PortalForm id={FORM} validator={validator} defaultValues={{ role: member.role }}>
              <SelectField name="role" label="Role" options={OPTIONS} required />
              <ButtonRow>
                <SubmitButton intent="role">Save</SubmitButton>
              </ButtonRow>
            </PortalForm>
            <RolesList />
          </Card>
        )}
        <Form method="post">
          <CsrfField />
          <ButtonRow>
            {mayChange && !member.isSelf && (
              <SubmitButton intent="hand-over" variant="secondary">
                Hand the company over
              </SubmitButton>
            )}
            {mustStay ? (
              <OnlyOwnerStays isAlone={isAlone} />
            ) : (
              <SubmitButton intent="remove" variant="caution">
                {member.isSelf ? "Leave the company" : "Remove from the company"}
              </SubmitButton>
            )}
          </ButtonRow>
        </Form>
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => data?.member.name ?? "Member");
