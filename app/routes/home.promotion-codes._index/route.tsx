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
import { promotionCodeChoiceValidator as validator } from "~/domain/orders/promotion-codes/validators";
import { paths } from "~/lib/paths";
import { staffPaths } from "~/lib/staff-paths";
import { FORM } from "./form";
import { type loader } from "./page.server";

export { action, loader } from "./page.server";

export default function PromotionCodes() {
  const { rows, total, pages, params, batch, mayChange } = useLoaderData<typeof loader>();
  const answer = useActionData<Partial<ValidationErrorResponseData> & { asked?: Record<string, string> }>();
  const refusedCode = (answer?.repopulateFields as { code?: unknown } | undefined)?.code;
  const kept = promotionCodeList.query(params, { page: 1, size: 10, search: "" });
  return (
    <ConfirmStep
      asked={answer?.asked}
      title="Withdraw promotion code"
      question="Are you sure you wish to withdraw this promotion code? This process cannot be reversed."
      confirmLabel="Withdraw"
      details={<p className="mono">{answer?.asked?.code}</p>}
    >
      <div className="stack-l">
        <ErrorSummary formId={FORM} />
        <PageHeader
          title="Promotion codes"
          back={{ to: paths.dashboard, label: "Back" }}
          actions={
            mayChange && (
              <>
                <LinkButton to={staffPaths.newPromotionCode} variant="primary">
                  New promotion code
                </LinkButton>
                <LinkButton to={staffPaths.newPromotionCodes}>New promotion codes in bulk</LinkButton>
              </>
            )
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
            actions={mayChange ? [{ intent: "withdraw", label: "Withdraw" }] : []}
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
        <DownloadLink className="btn" href={staffPaths.promotionCodeFile(id)}>
          Download CSV
        </DownloadLink>
        <LinkButton to={all} variant="quiet">
          Show all promotion codes
        </LinkButton>
      </div>
    </Note>
  );
}

export const meta = pageTitle("Promotion codes");
