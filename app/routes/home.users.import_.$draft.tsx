import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { FilterLinks } from "~/components/lists/filter-links";
import { Pagination } from "~/components/lists/pagination";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton, SubmitButton } from "~/components/ui/buttons";
import { DownloadLink } from "~/components/ui/download-link";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { ImportLines, OUTCOME_TEXTS } from "~/components/users/import-lines";
import { IMPORT_OUTCOMES, importList } from "~/domain/accounts/import/import-list";
import { importPrepared, loadPrepared } from "~/domain/accounts/import/prepared-import.service.server";
import { confirmationValidator as validator } from "~/domain/drafts/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { answerLongWork } from "~/http/long-work.server";
import { refused } from "~/http/responses.server";
import { FORM_TASKS } from "~/http/step-up-tasks.server";
import { requireFormStepUp } from "~/http/step-up.server";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";

const FORM = "confirm-import";

const listIn = (request: Request) => importList.read(new URL(request.url).searchParams);

export async function loader({ request, params }: LoaderFunctionArgs) {
  const admin = await requireUser(request, "change-users");
  return json(await loadPrepared(admin, params.draft ?? "", listIn(request)));
}

const accounts = (count: number) => (count === 1 ? "1 account has" : `${count} accounts have`);

export async function action({ request, params }: ActionFunctionArgs) {
  const admin = await requireUser(request, "change-users");
  const id = params.draft ?? "";
  const form = await readForm(request);
  const { counts } = await loadPrepared(admin, id, listIn(request));
  await requireFormStepUp(request, admin, { fields: form, formId: FORM }, () => FORM_TASKS.importUsers(counts.New));
  const seen = form.get("seen");
  const report = accountPaths.preparedImport(id);
  const toOutcome = (count: number) => {
    const text = `${accounts(count === 0 ? counts.Imported : count)} been imported.`;
    return { kind: "ok", text } as const;
  };
  const work = {
    kind: "import",
    next: { to: report, label: "Report of the import" },
    run: () => importPrepared(admin, id, typeof seen === "string" ? seen : ""),
    toOutcome,
  } as const;
  try {
    return await answerLongWork(admin, work, (count) => redirectWithToast(request, report, toOutcome(count)));
  } catch (error) {
    return refused(error, {}, FORM);
  }
}

export default function PreparedImport() {
  const { id, name, rows, total, counts, digest, pages, params } = useLoaderData<typeof loader>();
  const isDone = digest === null;
  const path = accountPaths.preparedImport(id);
  const at = (change: Partial<typeof params>) => importList.addTo(path, params, change);
  const choices = [...IMPORT_OUTCOMES.filter((outcome) => counts[outcome] > 0), null].map((outcome) => ({
    label: outcome === null ? "all" : `${OUTCOME_TEXTS[outcome]} (${counts[outcome]})`,
    to: at({ outcome, page: 1 }),
    isCurrent: params.outcome === outcome,
  }));
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} labels={{}} />
      <PageHeader
        title={isDone ? "Imported users" : "Check the import"}
        back={
          isDone
            ? { to: paths.users, label: "Back to the users" }
            : { to: accountPaths.importUsers, label: "Another file" }
        }
      >
        <p>
          From <bdi>{name}</bdi>: {counts.Imported > 0 ? `${counts.Imported} imported` : `${counts.New} new`},{" "}
          {counts.Existing} already registered and not changed, {counts.Wrong} wrong.
        </p>
      </PageHeader>
      {!isDone && counts.Wrong > 0 && (
        <Note tone="bad" title="Nothing can be imported while lines are wrong.">
          <p>Correct them in the file and check it again.</p>
        </Note>
      )}
      {!isDone && counts.Wrong === 0 && counts.New > 0 && (
        <PortalForm id={FORM} validator={validator}>
          <input type="hidden" name="seen" value={digest} />
          <ButtonRow>
            <SubmitButton busyText="Importing…">
              Import {counts.New} {counts.New === 1 ? "account" : "accounts"}
            </SubmitButton>
            <LinkButton to={paths.users}>Cancel</LinkButton>
          </ButtonRow>
        </PortalForm>
      )}
      <FilterLinks label="Outcome of the lines" caption="Lines:" choices={choices} />
      <p>
        <DownloadLink href={accountPaths.importReport(id)}>Download this report as CSV</DownloadLink>
      </p>
      <ImportLines rows={rows} total={total} params={params} hasPersons={!isDone} at={at} />
      <Pagination page={params.page} pages={pages} href={(page) => at({ page })} label="Pages of lines" />
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) =>
  data?.digest === null ? "Imported users" : "Check the import",
);
