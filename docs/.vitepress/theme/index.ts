import theme from 'vitepress/theme'
import './code.css'

export default theme
