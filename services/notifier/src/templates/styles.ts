import { html, type Markup } from '@casewatch/platform';

const font = 'font-family:Arial,Helvetica,sans-serif';

// Each colour contains a letter: six digits would look like a sign-in code to programs that search mails for codes.
export const styles = {
  page: `margin:0;padding:0;background:#f3f5f8;${font}`,
  hidden: 'display:none;max-height:0;overflow:hidden;mso-hide:all',
  brand: `padding:0 4px 12px;${font};font-size:14px;line-height:20px;font-weight:bold;color:#4f5b69`,
  card: `padding:28px 24px 12px;background:#ffffff;border-radius:8px;${font};font-size:16px;line-height:24px;color:#1d232b;word-break:break-word`,
  heading: 'margin:0 0 16px;font-size:22px;line-height:28px',
  section: 'margin:24px 0 6px;font-size:17px;line-height:24px',
  subsection: 'margin:12px 0 4px;font-size:16px;line-height:24px',
  item: 'margin:24px 0 4px;padding:20px 0 0;border-top:1px solid #c3ccd6;font-size:17px;line-height:24px',
  // One pair of colours for light and dark.
  urgent:
    'padding:2px 8px;border-radius:4px;background:#b3261e;font-size:13px;line-height:18px;color:#ffffff',
  paragraph: 'margin:0 0 16px',
  softParagraph: 'margin:0 0 16px;font-size:14px;line-height:20px;color:#4f5b69',
  quote: `padding:2px 0 2px 14px;border-left:4px solid #c3ccd6;${font};font-size:16px;line-height:24px`,
  callout: `padding:14px 16px 2px;background:#e9f1fd;border-left:4px solid #1f5fbf;${font};font-size:16px;line-height:24px`,
  buttonCell: `background:#1f5fbf;border-radius:6px;mso-padding-alt:12px 20px;${font};font-size:16px;line-height:24px`,
  button: 'display:inline-block;padding:12px 20px;color:#ffffff;text-decoration:none;font-weight:bold',
  foot: `padding:20px 4px 0;${font};font-size:13px;line-height:20px;color:#4f5b69`,
};

/** For mail programs that tell a mail about the dark mode; the others choose dark colours themselves. */
export const darkStyle: Markup = html`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
a { color: #1f5fbf; }
@media (prefers-color-scheme: dark) {
.page { background: #14181d !important; }
.card { background: #1e242c !important; color: #e9edf2 !important; }
.soft { color: #aeb8c4 !important; }
.quote, .item { border-color: #5b6877 !important; }
.callout { background: #22344f !important; border-color: #8fb8f5 !important; }
.button { background: #1f5fbf !important; }
.card a, .soft a { color: #9cc2fb; }
.card .button a { color: #ffffff; }
}
`;
