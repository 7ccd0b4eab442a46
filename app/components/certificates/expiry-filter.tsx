import {
  certificateList,
  type CertificateListParams,
  EXPIRY_DAYS,
  LIST_STATES,
  type ListState,
} from "~/domain/certificates/catalogue/certificate-list";
import { FilterLinks } from "../lists/filter-links";

/** Links that show only certificates that expire soon, and the month in which they end or began when the list shows only those. */
export function ExpiryFilter({ params }: { params: CertificateListParams }) {
  const { expires, ends, began } = params;
  const change = { state: null, began: null, page: 1, selected: null };
  const choices = [...EXPIRY_DAYS, null].map((days) => ({
    label: days === null ? "all" : `${days} days`,
    to: certificateList.href(params, { ...change, expires: days, ends: null }),
    isCurrent: ends === null && began === null && expires === days,
  }));
  const shown = ends ?? began;
  const month = shown && {
    label: `${ends ? "in" : "began in"} ${shown.slice(5)}/${shown.slice(0, 4)}`,
    to: certificateList.href(params, { ...change, ends, began }),
    isCurrent: true,
  };
  return (
    <FilterLinks
      label="Expiring certificates"
      caption="Expiring within:"
      choices={month ? [...choices, month] : choices}
    />
  );
}

interface StateProps {
  params: CertificateListParams;
  /** The states that occur, with how many certificates are in each. */
  states: readonly { state: ListState; count: string }[];
}

/** Links that show only the certificates in one state, with how many there are. */
export function CertificateStateFilter({ params, states }: StateProps) {
  const choice = (label: string, state: ListState | null) => ({
    label,
    to: certificateList.href(params, { state, expires: null, ends: null, began: null, page: 1, selected: null }),
    isCurrent: params.state === state && params.expires === null && params.ends === null && params.began === null,
  });
  const counted = states.map(({ state, count }) => choice(`${LIST_STATES[state]} (${count})`, state));
  const isMissing = params.state !== null && !states.some(({ state }) => state === params.state);
  const missing = isMissing && params.state ? [choice(`${LIST_STATES[params.state]} (0)`, params.state)] : [];
  return (
    <FilterLinks
      label="Certificates by status"
      caption="Show:"
      choices={[choice("All", null), ...counted, ...missing]}
    />
  );
}

interface TagProps {
  params: CertificateListParams;
  /** The tags of the company that is shown, with how many certificates have each. */
  tags: readonly { tag: string; count: number }[];
}

/** Links that show only the certificates with one tag. Without tags there are none. */
export function TagFilter({ params, tags }: TagProps) {
  const choice = (label: string, tag: string) => ({
    label,
    to: certificateList.href(params, { tag, page: 1, selected: null }),
    isCurrent: params.tag.toLowerCase() === tag.toLowerCase(),
  });
  const counted = tags.map(({ tag, count }) => choice(`${tag} (${count})`, tag));
  const isMissing = params.tag !== "" && !counted.some(({ isCurrent }) => isCurrent);
  if (counted.length === 0 && !isMissing) return null;
  return (
    <FilterLinks
      label="Certificates by tag"
      caption="Tag:"
      choices={[choice("any", ""), ...counted, ...(isMissing ? [choice(params.tag, params.tag)] : [])]}
    />
  );
}
