import { type SerializeFrom } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { FactorsTable } from "~/components/accounts/factors-table";
import { SessionsTable } from "~/components/accounts/sessions-table";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { Remount } from "~/components/forms/remount";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { RightsCard, LogInCard, USER_LABELS } from "~/components/users/user-actions";
import { AccountCard, UserAuditTable, ProfileCard } from "~/components/users/user-cards";
import { WaitingRequests } from "~/components/users/waiting-requests";
import { userActionTexts } from "~/domain/accounts/administration/user-administration-texts";
import { type UserAction } from "~/domain/accounts/administration/user-administration.policy";
import { userList } from "~/domain/accounts/administration/user-list";
import { userActionValidator as validator } from "~/domain/accounts/validators";
import { accountPaths } from "~/lib/account-paths";
import { staffPaths } from "~/lib/staff-paths";
import { APPROVE_REQUEST, FORM, WISH } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

const NOT_DANGEROUS: readonly string[] = ["enable", "send-reset-link"] satisfies UserAction[];

interface Asked {
  asked?:
    | { intent: UserAction; reason: string; wish?: string }
    | { intent: typeof APPROVE_REQUEST; request: string; wish?: string };
  /** What stops, or works again, when the question is answered with yes. */
  notes?: string[];
}

/** Returns the words of the question about a request, with what it asks for. */
function approvalTexts(what = "") {
  return {
    button: "Approve request",
    question: `Are you sure you wish to approve the request ${what}? It takes effect at once.`,
  };
}

export default function User() {
  const { user, list } = useLoaderData<typeof loader>();
  const { asked, notes: stops = [] } = useActionData<Asked>() ?? {};
  const request =
    asked?.intent === APPROVE_REQUEST ? user.requests.find(({ id }) => String(id) === asked.request) : undefined;
  const texts =
    asked && (asked.intent === APPROVE_REQUEST ? approvalTexts(request?.what) : userActionTexts(asked.intent));
  const reason = asked?.intent === APPROVE_REQUEST ? request?.reason : asked?.reason;
  const notes = [...(asked?.intent === "erase" ? [user.erasureNotice] : (request?.notes ?? [])), ...stops];
  return (
    <ConfirmStep
      asked={asked}
      title={texts?.button ?? ""}
      question={texts?.question ?? ""}
      confirmLabel={texts?.button ?? ""}
      variant={asked && NOT_DANGEROUS.includes(asked.intent) ? "primary" : "danger"}
      details={
        <>
          <p>
            <bdi>{user.name}</bdi>, <bdi>{user.company}</bdi>, {user.email}
            {reason && `. Reason: ${reason}`}
          </p>
          {notes.map((note) => note && <p key={note}>{note}</p>)}
        </>
      }
    >
      <div className="stack-l">
        <ErrorSummary formId={FORM} labels={USER_LABELS} />
        <PageHeader
          title={<bdi>{user.name}</bdi>}
          back={{ to: userList.href(list), label: "Back to the users" }}
          actions={<TopActions user={user} />}
        >
          {user.state !== "Erased" && (
            <p>
              <bdi>{user.company}</bdi>
            </p>
          )}
        </PageHeader>
        <WaitingRequests requests={user.requests} />
        {user.erasureRequestedAt && (
          <Note tone="warn" title="This person asks for the erasure of their data.">
            <p>
              Asked <Time value={user.erasureRequestedAt} withTime />. Erase it, or tell the person what stops it,
              within a month.
            </p>
            {user.erasureNotice && <p>{user.erasureNotice}</p>}
          </Note>
        )}
        {(user.isChangeable || user.hasEventsLink) && (
          <ul className="row" role="list">
            {user.isChangeable && (
              <li>
                <Link to={accountPaths.userData(user.id)}>Data about this person</Link>
              </li>
            )}
            {user.hasEventsLink && (
              <li>
                <Link to={`${staffPaths.securityEvents}?${new URLSearchParams({ user: user.username }).toString()}`}>
                  Security events
                </Link>
              </li>
            )}
          </ul>
        )}
        <div className="pairs">
          <AccountCard user={user} />
          <ProfileCard user={user} />
        </div>
        {isAdministered(user) && (
          <section className="stack" aria-labelledby={ADMINISTRATION}>
            <h2 id={ADMINISTRATION}>Administration</h2>
            <Remount on={String(user.entries[0]?.id)}>
              <PortalForm id={FORM} validator={validator} className="pairs">
                {user.erasureRequestedAt && <input type="hidden" name={WISH} value="stands" />}
                <LogInCard barriers={user.barriers} hasFactor={user.factors.length > 0} />
                <RightsCard barriers={user.barriers} rights={user.rights} />
              </PortalForm>
            </Remount>
          </section>
        )}
        <div className="stack">
          <FactorsTable factors={user.factors} />
          {user.factors.length > 0 && <p>Recovery codes left: {user.recoveryCodesLeft}</p>}
        </div>
        <SessionsTable caption="Open sessions" sessions={user.sessions} />
        <div className="stack">
          <UserAuditTable entries={user.entries} />
          <p>
            <Link to={accountPaths.userTrail(user.id)}>Whole audit trail of this account</Link>
          </p>
        </div>
      </div>
    </ConfirmStep>
  );
}

/** The id of the heading above the buttons. */
const ADMINISTRATION = "administration-heading";

type Shown = Pick<SerializeFrom<typeof loader>["user"], "id" | "isChangeable" | "personBarrier" | "state">;

const isAdministered = ({ isChangeable, state }: Shown) => isChangeable && state !== "Merged" && state !== "Erased";

/** What staff usually open the page for. The buttons that lock, disable and grant are far below on a phone. */
function TopActions({ user }: { user: Shown }) {
  return (
    <>
      {user.isChangeable && !user.personBarrier && (
        <LinkButton to={accountPaths.changeUser(user.id)}>Change details</LinkButton>
      )}
      {isAdministered(user) && (
        <a href={`#${ADMINISTRATION}`} className="btn">
          Administration
        </a>
      )}
    </>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => data?.user.name ?? "User");
