import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { Remount } from "~/components/forms/remount";
import { pageTitle } from "~/components/shell/page-title";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { PageHeader } from "~/components/ui/page-header";
import { RightsCard, LogInCard, USER_LABELS } from "~/components/users/user-actions";
import { AccountCard, UserAuditTable, ProfileCard } from "~/components/users/user-cards";
import { mintAuthString } from "~/domain/accounts/administration/impersonation.service.server";
import { userActionTexts } from "~/domain/accounts/administration/user-administration-texts";
import { getAdministeredUser } from "~/domain/accounts/administration/user-administration-view.server";
import { type UserAction } from "~/domain/accounts/administration/user-administration.policy";
import { administerAccount, requireAction } from "~/domain/accounts/administration/user-administration.service.server";
import { userList } from "~/domain/accounts/administration/user-list";
import { userActionValidator as validator } from "~/domain/accounts/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { getSession } from "~/http/session.server";
import { readId } from "~/lib/ids";
import { paths } from "~/lib/paths";

const FORM = "user";

/** Returns the parameters of the list page from which the account was opened. */
const listIn = (request: Request) => userList.read(new URL(request.url).searchParams);

export async function loader({ request, params }: LoaderFunctionArgs) {
  const admin = await requireUser(request, "see-users");
  const user = await getAdministeredUser(readId(params.id), admin);
  return json({ user, list: listIn(request) });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const admin = await requireUser(request, "change-users");
  const id = readId(params.id);
  const submitted = await readForm(request);
  const form = await validator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  const { intent, reason } = form.data;
  if (submitted.has("back")) return typedAgain(form.submittedData, FORM);
  const { question, done } = userActionTexts(intent);
  try {
    if (intent === "log-in-as") {
      const sessionId = (await getSession(request)).get("id");
      return redirect(paths.loginAsUser(id, await mintAuthString(id, admin, { sessionId })), 303);
    }
    if (question && submitted.get("confirmed") !== "yes") {
      await requireAction(intent, id, admin);
      return json({ asked: { intent, reason } });
    }
    await administerAccount({ action: intent, id, actor: admin.actor, reason });
    const page = userList.addTo(paths.user(id), listIn(request));
    return await redirectWithToast(request, page, { kind: "ok", text: done });
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
}

const NOT_DANGEROUS: readonly string[] = ["enable"] satisfies UserAction[];

export default function User() {
  const { user, list } = useLoaderData<typeof loader>();
  const asked = useActionData<{ asked?: { intent: UserAction; reason: string } }>()?.asked;
  const texts = asked && userActionTexts(asked.intent);
  return (
    <ConfirmStep
      asked={asked}
      title={texts?.button ?? ""}
      question={texts?.question ?? ""}
      confirmLabel={texts?.button ?? ""}
      variant={asked && NOT_DANGEROUS.includes(asked.intent) ? "primary" : "danger"}
      details={
        <p>
          <bdi>{user.name}</bdi>, <bdi>{user.company}</bdi>, {user.email}
          {asked?.reason && `. Reason: ${asked.reason}`}
        </p>
      }
    >
      <div className="stack-l">
        <ErrorSummary formId={FORM} labels={USER_LABELS} />
        <PageHeader title={<bdi>{user.name}</bdi>} back={{ to: userList.href(list), label: "Back to the users" }}>
          <p>
            <bdi>{user.company}</bdi>
          </p>
        </PageHeader>
        <div className="pairs">
          <AccountCard user={user} />
          <ProfileCard user={user} />
        </div>
        {user.isChangeable && user.state !== "Merged" && (
          <section className="stack" aria-labelledby="administration-heading">
            <h2 id="administration-heading">Administration</h2>
            <Remount on={String(user.entries[0]?.id)}>
              <PortalForm id={FORM} validator={validator} className="pairs">
                <LogInCard barriers={user.barriers} />
                <RightsCard barriers={user.barriers} rights={user.rights} />
              </PortalForm>
            </Remount>
          </section>
        )}
        <UserAuditTable entries={user.entries} />
      </div>
    </ConfirmStep>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => data?.user.name ?? "User");
