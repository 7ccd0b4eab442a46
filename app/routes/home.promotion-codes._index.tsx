import { json, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type ValidationErrorResponseData } from "remix-validated-form";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { ListToolbar } from "~/components/lists/list-toolbar";
import { Pagination } from "~/components/lists/pagination";
import { RowActions } from "~/components/lists/row-actions";
import { PromotionCodeStateFilter } from "~/components/promotion-codes/code-filter";
import { PromotionCodesTable } from "~/components/promotion-codes/code-table";
import { pageTitle } from "~/components/shell/page-title";
import { LinkButton } from "~/components/ui/buttons";
import { ConfirmStep } from "~/components/ui/confirm-step";
import { DownloadLink } from "~/components/ui/download-link";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { promotionCodeList } from "~/domain/orders/promotion-codes/promotion-code-list";
import { listCodesForAdmin } from "~/domain/orders/promotion-codes/promotion-codes.service.server";
import {
  requireWithdrawable,
  withdrawPromotionCode,
} from "~/domain/orders/promotion-codes/promotion-withdrawal.service.server";
import { promotionCodeChoiceValidator as validator } from "~/domain/orders/promotion-codes/validators";
import { redirectWithToast } from "~/http/flash.server";
import { readForm } from "~/http/forms.server";
import { requireUser } from "~/http/guard.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { paths } from "~/lib/paths";

const FORM = "promotion-codes";

const paramsIn = (request: Request) => promotionCodeList.read(new URL(request.url).searchParams);

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "Admin");
  return json(await listCodesForAdmin(paramsIn(request)));
}

export async function action({ request }: ActionFunctionArgs) {
  const { actor } = await requireUser(request, "Admin");
  const submitted = await readForm(request);
  const form = await validator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  if (submitted.has("back")) return typedAgain(form.submittedData, FORM);
  const { code } = form.data;
  try {
    if (submitted.get("confirmed") !== "yes") {
      await requireWithdrawable(code);
      return json({ asked: form.data });
    }
    await withdrawPromotionCode(code, actor);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
  const text = `The promotion code ${code} has been withdrawn.`;
  return redirectWithToast(request, promotionCodeList.href(paramsIn(request)), { kind: "ok", text });
}

export default function PromotionCodes() {
  const { rows, total, pages, params, batch } = useLoaderData<typeof loader>();
  const answer = useActionData<Partial<ValidationErrorResponseData> & { asked?: Record<string, string> }>();
  const refusedCode = (answer?.repopulateFields as { code?: unknown } | undefined)?.code;
  const kept = promotionCodeList.query(params, { page: 1, size: 10, search: "" });
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Withdraw Promotion Code"
      question="Are you sure you wish to withdraw this promotion code? This process cannot be reversed."
      confirmLabel="Withdraw"
      details={<p className="mono">{answer?.asked?.code}</p>}
    >
      <div className="stack-l">
        <ErrorSummary formId={FORM} />
        <PageHeader
          title="Promotion Codes"
          back={{ to: paths.dashboard, label: "Back" }}
          actions={
            <>
              <LinkButton to={paths.newPromotionCode} variant="primary">
                New Promotion Code
              </LinkButton>
              <LinkButton to={paths.newPromotionCodes}>New Promotion Codes in Bulk</LinkButton>
            </>
          }
        >
          <p>Each code gives a discount on one certificate order.</p>
        </PageHeader>
        {batch && <Created batch={batch} all={promotionCodeList.href(params, { batch: null, page: 1 })} />}
        <ListToolbar
          search={params.search}
          searchHint="A part of the code, or the number of the order that used it"
          size={params.size}
          keep={kept}
        />
        <PromotionCodeStateFilter params={params} />
        <PortalForm id={FORM} validator={validator} className="stack-l" defaultIntent="withdraw">
          <PromotionCodesTable
            rows={rows}
            total={total}
            params={params}
            selected={typeof refusedCode === "string" ? refusedCode : null}
          />
          <Pagination
            page={params.page}
            pages={pages}
            href={(page) => promotionCodeList.href(params, { page })}
            label="Promotion codes pages"
          />
          <RowActions
            formId={FORM}
            name="code"
            actions={[{ intent: "withdraw", label: "Withdraw" }]}
            reasons={Object.fromEntries(rows.map(({ code, barriers }) => [code, barriers]))}
            back={{ to: paths.dashboard, label: "Back" }}
          />
        </PortalForm>
      </div>
    </ConfirmStep>
  );
}

interface CreatedProps {
  batch: { id: string; count: number; createdAt: string };
  /** The address of the page with all codes. */
  all: string;
}

/** The codes that one form created, with a file for the person who distributes them. */
function Created({ batch: { id, count, createdAt }, all }: CreatedProps) {
  return (
    <Note title={count === 1 ? "One promotion code" : `${count} promotion codes`}>
      <p>
        Created together on <Time value={createdAt} withTime />.
      </p>
      <div className="row">
        <DownloadLink className="btn" href={paths.promotionCodeFile(id)}>
          Download CSV
        </DownloadLink>
        <LinkButton to={all} variant="quiet">
          Show all promotion codes
        </LinkButton>
      </div>
    </Note>
  );
}

export const meta = pageTitle("Promotion Codes");
