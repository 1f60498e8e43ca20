import {
  airtable, brevo, contentful, discord, discordWebhook, easypost, figma, hubspot, mailgun, notion, resend, sendgrid,
  shopify, slack, square, stripe, telegram, twilio,
} from '../keys/services.ts';
import {
  airtableSamples, contentfulSamples, discordSamples, easypostSamples, figmaSamples, hubspotSamples, mailgunSamples,
  notionSamples, resendSamples, samples as brevoSamples, sendgridSamples, shopifySamples, slackSamples, squareSamples,
  stripeSamples, telegramSamples, twilioSamples, webhookSamples,
} from './service-samples.ts';
import {
  anthropic, cerebras, deepseek, elevenlabs, groq, huggingFace, langfuse, langsmith, nvidia, openai, openrouter,
  perplexity, replicate, together, xai,
} from '../keys/language-models.ts';
import {
  anthropicSamples, deepseekSamples, elevenlabsSamples, groqSamples, huggingFaceSamples, langfuseSamples,
  langsmithSamples, nvidiaSamples, openaiSamples, openrouterSamples, perplexitySamples, replicateSamples,
  samples as cerebrasSamples, togetherSamples, xaiSamples,
} from './language-model-samples.ts';
import {
  atlassian, buildkite, circleci, clojars, crates, docker, dynatrace, github, gitlab, grafana, linear, newRelic, npm,
  posthog, postman, pypi, rubygems, sentry, sonar, sourcegraph,
} from '../keys/development.ts';
import {
  atlassianSamples, circleciSamples, clojarsSamples, cratesSamples, dockerSamples, dynatraceSamples, githubSamples,
  gitlabSamples, grafanaSamples, linearSamples, newRelicSamples, npmSamples, posthogSamples, postmanSamples,
  pypiSamples, rubygemsSamples, samples as buildkiteSamples, sentrySamples, sonarSamples, sourcegraphSamples,
} from './development-samples.ts';
import {
  aws, awsSecret, azureClient, azureStorage, cloudflare, databricks, digitalocean, doppler, fly, google, heroku, neon,
  netlify, onePassword, planetscale, pulumi, supabase, tailscale, vault, vercel,
} from '../keys/clouds.ts';
import {
  awsSamples, azureClientSamples, azureStorageSamples, cloudflareSamples, databricksSamples, digitaloceanSamples,
  dopplerSamples, flySamples, googleSamples, herokuSamples, neonSamples, netlifySamples, onePasswordSamples,
  planetscaleSamples, pulumiSamples, samples as awsSecretSamples, supabaseSamples, tailscaleSamples, vaultSamples,
  vercelSamples,
} from './cloud-samples.ts';
import { pem } from '../private-keys/pem/rule.ts';
import { age, jwt, putty, wireguard } from '../index.ts';
import { ageSamples, puttySamples, samples as pemSamples, wireguardSamples } from './private-key-samples.ts';
import { samples as jwtSamples } from './token-samples.ts';
import { cardSamples, samples as ibanSamples } from './payment-samples.ts';
import { card, iban } from '../payment/index.ts';
import { emailSamples, nationalIdSamples, samples as phoneSamples } from './personal-samples.ts';
import { email, nationalIds, phone } from '../personal/index.ts';
import type { Rule, Samples } from '../types.ts';

/** Every rule with its samples. */
export const allSamples: readonly (readonly [Rule, Samples])[] = [
  [airtable, airtableSamples],
  [anthropic, anthropicSamples],
  [atlassian, atlassianSamples],
  [aws, awsSamples],
  [awsSecret, awsSecretSamples],
  [azureClient, azureClientSamples],
  [azureStorage, azureStorageSamples],
  [brevo, brevoSamples],
  [buildkite, buildkiteSamples],
  [cerebras, cerebrasSamples],
  [circleci, circleciSamples],
  [clojars, clojarsSamples],
  [cloudflare, cloudflareSamples],
  [contentful, contentfulSamples],
  [crates, cratesSamples],
  [databricks, databricksSamples],
  [deepseek, deepseekSamples],
  [digitalocean, digitaloceanSamples],
  [docker, dockerSamples],
  [doppler, dopplerSamples],
  [dynatrace, dynatraceSamples],
  [easypost, easypostSamples],
  [elevenlabs, elevenlabsSamples],
  [figma, figmaSamples],
  [fly, flySamples],
  [github, githubSamples],
  [gitlab, gitlabSamples],
  [google, googleSamples],
  [grafana, grafanaSamples],
  [groq, groqSamples],
  [heroku, herokuSamples],
  [hubspot, hubspotSamples],
  [huggingFace, huggingFaceSamples],
  [langfuse, langfuseSamples],
  [langsmith, langsmithSamples],
  [linear, linearSamples],
  [mailgun, mailgunSamples],
  [neon, neonSamples],
  [netlify, netlifySamples],
  [newRelic, newRelicSamples],
  [notion, notionSamples],
  [npm, npmSamples],
  [nvidia, nvidiaSamples],
  [onePassword, onePasswordSamples],
  [openai, openaiSamples],
  [openrouter, openrouterSamples],
  [perplexity, perplexitySamples],
  [planetscale, planetscaleSamples],
  [posthog, posthogSamples],
  [postman, postmanSamples],
  [pulumi, pulumiSamples],
  [pypi, pypiSamples],
  [replicate, replicateSamples],
  [resend, resendSamples],
  [rubygems, rubygemsSamples],
  [sendgrid, sendgridSamples],
  [sentry, sentrySamples],
  [shopify, shopifySamples],
  [slack, slackSamples],
  [sonar, sonarSamples],
  [sourcegraph, sourcegraphSamples],
  [square, squareSamples],
  [stripe, stripeSamples],
  [supabase, supabaseSamples],
  [tailscale, tailscaleSamples],
  [telegram, telegramSamples],
  [together, togetherSamples],
  [twilio, twilioSamples],
  [vault, vaultSamples],
  [vercel, vercelSamples],
  [xai, xaiSamples],
  [pem, pemSamples],
  [putty, puttySamples],
  [age, ageSamples],
  [wireguard, wireguardSamples],
  [jwt, jwtSamples],
  [card, cardSamples],
  [iban, ibanSamples],
  [email, emailSamples],
  [phone, phoneSamples],
  [discord, discordSamples],
  [discordWebhook, webhookSamples],
  ...nationalIds.map((rule) => [rule, nationalIdSamples.get(rule.name) ?? { found: [], ignored: [] }] as const),
];
