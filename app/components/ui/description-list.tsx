export interface Description {
  term: React.ReactNode;
  detail: React.ReactNode;
  /** E.g. a Change link. */
  action?: React.ReactNode;
}

interface Props {
  items: readonly Description[];
  /** Omits items without a value instead of showing a dash. */
  hideEmpty?: boolean;
}

const isEmpty = (detail: React.ReactNode) =>
  detail === "" || detail === null || detail === undefined || detail === false;

export function DescriptionList({ items, hideEmpty }: Props) {
  const shown = hideEmpty ? items.filter((item) => !isEmpty(item.detail)) : items;
  return (
    <dl className="dl">
      {shown.map(({ term, detail, action }, index) => (
        <div key={index} className={isEmpty(detail) ? "empty" : undefined}>
          <dt>{term}</dt>
          <dd>
            {action ? <span>{isEmpty(detail) ? "–" : detail}</span> : isEmpty(detail) ? "–" : detail}
            {action && <span className="change no-print">{action}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
