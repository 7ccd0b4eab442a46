import { BANNER_SIZE } from "~/domain/homepage/texts";

interface Props {
  /** The address of the image. */
  banner: string;
  link: string;
  tooltip: string;
}

/** The promotional banner of the homepage settings: a linked image of 450 by 200 pixels. */
export function PromotionBanner({ banner, link, tooltip }: Props) {
  return (
    <a className="banner" href={link} title={tooltip} referrerPolicy="no-referrer">
      <img {...BANNER_SIZE} src={banner} alt={tooltip} referrerPolicy="no-referrer" decoding="async" />
    </a>
  );
}
