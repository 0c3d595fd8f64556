{{- define "coppice.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "coppice.labels" -}}
app.kubernetes.io/name: coppice
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "coppice.container" -}}
image: "{{ required "image.repository: the image of Coppice" .Values.image.repository }}:{{ .Values.image.tag }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  - name: COPPICE_URL
    value: {{ printf "https://%s" (required "host: the name under which readers reach the wiki" .Values.host) | quote }}
  - name: COPPICE_TRUST_PROXY
    value: {{ .Values.trustProxy | quote }}
  - name: NODE_COMPILE_CACHE
    value: /tmp/compiled
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
envFrom:
  - secretRef:
      name: {{ .Values.secret }}
securityContext:
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities:
    drop: [ALL]
{{- end }}

{{- define "coppice.pod" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "coppice.data" -}}
- name: data
  {{- if .Values.external }}
  emptyDir: {}
  {{- else }}
  persistentVolumeClaim:
    claimName: {{ include "coppice.name" . }}
  {{- end }}
- name: tmp
  emptyDir: {}
{{- end }}
