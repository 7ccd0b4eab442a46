import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ErrorSummary } from "~/components/forms/error-summary";
import { FileField } from "~/components/forms/file-field";
import { PortalForm } from "~/components/forms/form";
import { TextareaField } from "~/components/forms/textarea-field";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { DownloadLink } from "~/components/ui/download-link";
import { PageHeader } from "~/components/ui/page-header";
import { IMPORT_COLUMNS } from "~/domain/accounts/import/columns";
import {
  IMPORT_BYTES,
  IMPORT_ROWS,
  prepareImport,
  type SentFile,
} from "~/domain/accounts/import/prepared-import.service.server";
import { confirmationValidator as validator } from "~/domain/drafts/validators";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { BODY_LIMIT } from "~/http/limits";
import { refused } from "~/http/responses.server";
import { accountPaths } from "~/lib/account-paths";
import { PortalError } from "~/lib/errors";
import { messages } from "~/lib/messages";
import { paths } from "~/lib/paths";

const FORM = "import-users";
const LABELS = { csvFile: "CSV file", csv: "Rows instead of a file" } as const;

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "change-users");
  return json({
    limits: `At most ${IMPORT_ROWS} rows and ${IMPORT_BYTES / 1024} KB. The command 'users import' takes larger files.`,
    required: IMPORT_COLUMNS.required.join(", "),
    optional: IMPORT_COLUMNS.optional.join(", "),
  });
}

/** Returns what was sent, or null when it is nothing. A file takes precedence over a pasted text. */
async function sentIn(form: FormData): Promise<SentFile | null> {
  const [file, text] = [form.get("csvFile"), form.get("csv")];
  if (file instanceof File && file.name !== "")
    return { name: file.name, bytes: Buffer.from(await file.arrayBuffer()), field: "csvFile" };
  return typeof text === "string" && text.trim() !== ""
    ? { name: "pasted rows", bytes: Buffer.from(text), field: "csv" }
    : null;
}

export async function action({ request }: ActionFunctionArgs) {
  const admin = await requireUser(request, "change-users");
  const form = await readForm(request, { limit: BODY_LIMIT });
  const sent = await sentIn(form);
  const csv = form.get("csv");
  try {
    if (!sent) throw new PortalError(messages.required, { code: "accounts.import", field: "csvFile" });
    return redirect(accountPaths.preparedImport(await prepareImport(sent, admin)), 303);
  } catch (error) {
    return refused(error, { csv: typeof csv === "string" ? csv : "" }, FORM);
  }
}

export default function ImportUsers() {
  const { limits, required, optional } = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l">
      <ErrorSummary formId={FORM} order={Object.keys(LABELS)} labels={LABELS} />
      <PageHeader title="Import users" back={{ to: paths.users, label: "Back to the users" }}>
        <p>The next page shows what becomes of each line. Nothing is stored before you confirm it there.</p>
      </PageHeader>
      <PortalForm id={FORM} validator={validator} encType="multipart/form-data">
        <FileField name="csvFile" label={LABELS.csvFile} hint={limits} accept=".csv,text/csv" />
        <TextareaField name="csv" label={LABELS.csv} rows={6} mono autoComplete="off" hint="With the header row." />
        <ButtonRow>
          <SubmitButton busyText="Checking…">Check the file</SubmitButton>
        </ButtonRow>
      </PortalForm>
      <section className="stack" aria-labelledby="columns-heading">
        <h2 id="columns-heading">Columns</h2>
        <p>
          The first row names the columns, in any order.{" "}
          <DownloadLink href={accountPaths.importTemplate}>Download a template</DownloadLink>
        </p>
        <p>
          Required: <span className="mono">{required}</span>
        </p>
        <p>
          Optional: <span className="mono">{optional}</span>
        </p>
        <p>
          Countries are codes of two letters. Rights is empty for Applicant; the right Admin is never imported here.
          User names that exist are left as they are. No messages are sent.
        </p>
      </section>
    </div>
  );
}

export const meta = pageTitle("Import users");
