import { PROMOTION_CODE_LABELS, MONTHS_LIMIT, VALUE_LIMIT } from "~/domain/orders/promotion-codes/limits";
import { formatEuro } from "~/lib/money";
import { DateField } from "../forms/date-fields";
import { HiddenField } from "../forms/portal-field";
import { TextField } from "../forms/text-field";

/** The value and the conditions of promotion codes, for one and for many. */
export function TermsFields() {
  return (
    <>
      <HiddenField name="batch" />
      <TextField
        name="value"
        label={PROMOTION_CODE_LABELS.value}
        inputMode="decimal"
        autoComplete="off"
        hint={`At most ${formatEuro(VALUE_LIMIT)}, with a point before the cents: 50 or 49.50.`}
      />
      <TextField
        name="months"
        label={PROMOTION_CODE_LABELS.months}
        inputMode="numeric"
        autoComplete="off"
        hint={`1 to ${MONTHS_LIMIT}: the code needs a certificate that is valid for at least that long.`}
      />
      <DateField
        name="validUntil"
        label={PROMOTION_CODE_LABELS.validUntil}
        optional
        hint="The last day on which the code can be used (UTC). Without it the code is valid for ever."
      />
    </>
  );
}
